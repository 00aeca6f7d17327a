import { useMemo } from 'react'
import type { Layer, Shape } from '#contract/geography.ts'
import { isArea, type Geometry, type Position } from '#contract/place.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { innerPoint } from '#web/map/rendering/inner-point.ts'
import { stackingOrder } from '#web/map/rendering/stacking-order.ts'
import { tileUrl } from '#web/map/rendering/tile-url.ts'
import { geographyLayer } from '#web/map/layers/geography-layer.ts'
import type { ComparedOutline, DraftOutline } from '#web/map/layers/geography-shapes.ts'
import type { ShapeLabel } from '#web/map/layers/shape-values.ts'
import type { MapScene } from '#web/map/map-scene.ts'
import type { EditingView } from './editing/editing-view.ts'

interface SceneInput {
  layers: readonly Layer[] | null
  layer: Layer | null
  /** All shapes of the layer; null if there are too many to load. */
  shapes: readonly Shape[] | null
  scheme: Scheme
  selected: string | null
  /** An earlier version of the geometry to show. */
  old: Geometry | null
  editing: EditingView | null
  /** When the screen was opened, in ms: part of the tile address, so that tiles stay cached. */
  at: number
}

const none: {
  hidden: readonly string[]
  draft: readonly DraftOutline[]
  compared: readonly ComparedOutline[]
  problems: readonly Position[]
} = { hidden: [], draft: [], compared: [], problems: [] }

/** Returns the scene of the geographies map. */
export function useGeographyScene({
  layers,
  layer,
  shapes,
  scheme,
  selected,
  old,
  editing,
  at,
}: SceneInput): MapScene {
  const basemap = useBasemap(layers, at)
  const { hidden, draft, problems, compared } = editing ?? none
  const labels = useMemo(
    () => shapes && shapes.filter(({ shape_uuid }) => !hidden.includes(shape_uuid)).flatMap(toLabels),
    [shapes, hidden],
  )
  const outlines = useMemo(
    () => (old ? [...compared, { role: 'base' as const, geom: old }] : compared),
    [old, compared],
  )
  // Only selected draft shapes are drawn differently; other shapes have a feature state for it.
  const selectedDraft = draft.some(({ id }) => id === selected) ? selected : null
  const shown = useMemo(
    () =>
      layer
        ? geographyLayer({
            key: `geographies:${layer.shape_layer_uuid}:${layer.content_hash}`,
            tiles: tileUrl(layer, location.origin, at),
            geometry: layer.geometry_type,
            scheme,
            labels,
            stack: stackingOrder(shapes),
            hidden,
            draft,
            compared: outlines,
            problems,
            selected: selectedDraft,
          })
        : null,
    [layer, at, scheme, labels, shapes, hidden, draft, outlines, problems, selectedDraft],
  )
  const board = editing?.board ?? null
  return useMemo(
    () => ({ scheme, basemap, layers: shown ? [shown] : [], heat: null, selected, board }),
    [scheme, basemap, shown, selected, board],
  )
}

function toLabels({ shape_name, geom }: Shape): ShapeLabel[] {
  if (!isArea(geom)) return []
  const inner = innerPoint(geom)
  return inner ? [{ name: shape_name, ...inner }] : []
}

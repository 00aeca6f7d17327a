import { useMemo } from 'react'
import type { Layer, Shape } from '#contract/geography.ts'
import { isArea } from '#contract/place.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { type Scheme, tokens } from '#web/kit/theme.ts'
import { innerPoint } from '#web/map/rendering/inner-point.ts'
import { tileUrl } from '#web/map/rendering/tile-url.ts'
import { geographyLayer } from '#web/map/layers/geography-layer.ts'
import { shapeValuesLayer } from '#web/map/layers/shape-values-layer.ts'
import type { ShapeBin, ShapeLabel } from '#web/map/layers/shape-values.ts'
import type { MapScene } from '#web/map/map-scene.ts'
import type { PolicyScope } from './policy-scope.ts'

interface SceneInput {
  layers: readonly Layer[] | null
  scope: PolicyScope
  /** All shapes of the layer; null if there are too many to load. */
  shapes: readonly Shape[] | null
  scheme: Scheme
  /** When the screen was opened, in ms: part of the tile address, so that tiles stay cached. */
  at: number
}

const toLabels = ({ shape_name: name, geom }: Shape): ShapeLabel[] => {
  const inner = isArea(geom) ? innerPoint(geom) : null
  return inner ? [{ name, ...inner }] : []
}

/** Returns the scene of a policy's map: covered shapes are filled, others have only an outline. */
export function usePolicyScene({
  layers,
  scope: { layer, covered, isRegionWide },
  shapes,
  scheme,
  at,
}: SceneInput): MapScene {
  const basemap = useBasemap(layers, at)
  const labels = useMemo(
    () => (shapes && !isRegionWide ? shapes.flatMap(toLabels) : []),
    [shapes, isRegionWide],
  )
  const scopeLayer = useMemo(() => {
    if (!layer) return null
    const common = {
      key: `policy:${layer.shape_layer_uuid}:${layer.content_hash}`,
      tiles: tileUrl(layer, location.origin, at),
      geometry: layer.geometry_type,
      scheme,
      stack: null,
    }
    const filled = covered ?? shapes?.map(({ shape_uuid }) => shape_uuid) ?? null
    // A layer with too many shapes to load is drawn in one style.
    if (!filled)
      return geographyLayer({
        ...common,
        labels: null,
        hidden: [],
        draft: [],
        compared: [],
        problems: [],
        selected: null,
      })
    return shapeValuesLayer({
      ...common,
      binById: new Map<string, ShapeBin>(filled.map((id) => [id, 0])),
      colors: [tokens[scheme].teal],
      labels,
    })
  }, [layer, at, scheme, covered, shapes, labels])
  return useMemo(
    () => ({ scheme, basemap, layers: scopeLayer ? [scopeLayer] : [], heat: null, selected: null }),
    [scheme, basemap, scopeLayer],
  )
}

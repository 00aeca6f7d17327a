import { useMemo } from 'react'
import { isArea } from '#contract/place.ts'
import type { Layer, Shape } from '#contract/geography.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { innerPoint } from '#web/map/rendering/inner-point.ts'
import { stackingOrder } from '#web/map/rendering/stacking-order.ts'
import { tileUrl } from '#web/map/rendering/tile-url.ts'
import type { HeatPoint } from '#web/map/layers/heat-points.ts'
import type { ShapeClass, ShapeLabel } from '#web/map/layers/shape-values.ts'
import { shapeStates } from '#web/map/layers/shape-states.ts'
import { shapeValuesLayer } from '#web/map/layers/shape-values-layer.ts'
import type { MapScene } from '#web/map/map-scene.ts'
import { useBasemap } from '../use-basemap.ts'

interface Given {
  layers: readonly Layer[] | null
  layer: Layer | null
  shapes: readonly Shape[] | null
  classes: ReadonlyMap<string, ShapeClass>
  colors: readonly string[]
  heat: { points: readonly HeatPoint[] | null; colors: readonly string[] } | null
  scheme: Scheme
  selected: string | null
  /** When the screen was opened: tiles stay cached for half an hour while it is open. */
  at: number
}

const nothing: ReadonlyMap<string, ShapeClass> = new Map()

/** The scene of any evaluation map: the basemap, one value per shape, and optionally heat instead of the values. */
export function useEvaluationScene({
  layers,
  layer,
  shapes,
  classes,
  colors,
  heat,
  scheme,
  selected,
  at,
}: Given): MapScene {
  const basemap = useBasemap(layers, at)
  const labels = useMemo(() => (shapes ?? []).flatMap(labelOf), [shapes])
  const isHeat = heat !== null
  const palette = colors.join()
  const drawn = useMemo(
    () =>
      layer
        ? shapeValuesLayer({
            key: `shapes:${layer.shape_layer_uuid}:${layer.content_hash}`,
            tiles: tileUrl(layer, location.origin, at),
            geometry: layer.geometry_type,
            classes: nothing,
            colors: palette === '' ? [] : palette.split(','),
            scheme,
            labels,
            stack: stackingOrder(shapes),
          })
        : null,
    [layer, at, palette, scheme, labels, shapes],
  )
  // Other values are other feature states of the same style. Under heat the fills would mix with its colors, so only outlines are drawn.
  const shown = useMemo(
    () => drawn && { ...drawn, states: shapeStates(isHeat ? nothing : classes) },
    [drawn, isHeat, classes],
  )
  const [points, heatColors] = [heat?.points, heat?.colors]
  const hot = useMemo(
    () => (points && heatColors ? { points, colors: heatColors } : null),
    [points, heatColors],
  )
  return useMemo(
    () => ({ scheme, basemap, layers: shown ? [shown] : [], heat: hot, selected }),
    [scheme, basemap, shown, hot, selected],
  )
}

function labelOf({ shape_name, geom }: Shape): ShapeLabel[] {
  if (!isArea(geom)) return []
  const inner = innerPoint(geom)
  return inner ? [{ name: shape_name, ...inner }] : []
}

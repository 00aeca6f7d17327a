import { useMemo } from 'react'
import { isArea } from '#contract/place.ts'
import type { Layer, Shape } from '#contract/geography.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { innerPoint } from '#web/map/rendering/inner-point.ts'
import { stackingOrder } from '#web/map/rendering/stacking-order.ts'
import { tileUrl } from '#web/map/rendering/tile-url.ts'
import type { HeatPoint } from '#web/map/layers/heat-points.ts'
import type { ShapeBin, ShapeLabel } from '#web/map/layers/shape-values.ts'
import { shapeStates } from '#web/map/layers/shape-states.ts'
import { shapeValuesLayer } from '#web/map/layers/shape-values-layer.ts'
import type { MapScene } from '#web/map/map-scene.ts'
import { useBasemap } from '../use-basemap.ts'

interface SceneInput {
  layers: readonly Layer[] | null
  layer: Layer | null
  shapes: readonly Shape[] | null
  binById: ReadonlyMap<string, ShapeBin>
  colors: readonly string[]
  heat: { points: readonly HeatPoint[] | null; colors: readonly string[] } | null
  scheme: Scheme
  selected: string | null
  /** When the screen was opened, in ms since 1970. Constant, so that tiles stay cached while it is open. */
  at: number
}

const noBins: ReadonlyMap<string, ShapeBin> = new Map()

/** Returns the scene of an evaluation: basemap, one value per shape, optionally heat instead of values. */
export function useEvaluationScene({
  layers,
  layer,
  shapes,
  binById,
  colors,
  heat,
  scheme,
  selected,
  at,
}: SceneInput): MapScene {
  const basemap = useBasemap(layers, at)
  const labels = useMemo(() => (shapes ?? []).flatMap(getLabels), [shapes])
  const isHeat = heat !== null
  // Colors by value: an equal array must not rebuild the layer.
  const palette = colors.join()
  const emptyLayer = useMemo(
    () =>
      layer
        ? shapeValuesLayer({
            key: `shapes:${layer.shape_layer_uuid}:${layer.content_hash}`,
            tiles: tileUrl(layer, location.origin, at),
            geometry: layer.geometry_type,
            binById: noBins,
            colors: palette === '' ? [] : palette.split(','),
            scheme,
            labels,
            stack: stackingOrder(shapes),
          })
        : null,
    [layer, at, palette, scheme, labels, shapes],
  )
  // New values only change feature states. Below heat, fills would mix its colors: only outlines there.
  const valuesLayer = useMemo(
    () => emptyLayer && { ...emptyLayer, states: shapeStates(isHeat ? noBins : binById) },
    [emptyLayer, isHeat, binById],
  )
  const points = heat?.points
  const heatColors = heat?.colors
  const heatPoints = useMemo(
    () => (points && heatColors ? { points, colors: heatColors } : null),
    [points, heatColors],
  )
  return useMemo(
    () => ({ scheme, basemap, layers: valuesLayer ? [valuesLayer] : [], heat: heatPoints, selected }),
    [scheme, basemap, valuesLayer, heatPoints, selected],
  )
}

function getLabels({ shape_name, geom }: Shape): ShapeLabel[] {
  if (!isArea(geom)) return []
  const inner = innerPoint(geom)
  return inner ? [{ name: shape_name, ...inner }] : []
}

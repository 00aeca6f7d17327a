import type { Layer } from '#contract/geography.ts'
import type { SpatialAggregation } from '#contract/spatial.ts'
import type { MapMode } from './modes/map-mode.ts'

/** What a map can be asked of a layer: routes are known only to layers that support it. What was asked stays offered, so that it can be seen. */
export const offeredAggregations = (
  { aggregations }: MapMode,
  layer: Pick<Layer, 'intersect_route'> | null,
  asked: SpatialAggregation | undefined,
): SpatialAggregation[] =>
  aggregations.filter((each) => each !== 'intersect' || layer?.intersect_route === true || each === asked)

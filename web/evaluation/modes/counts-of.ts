import type { SpatialAggregation } from '#contract/spatial.ts'
import type { MapMode } from './map-mode.ts'

/** The counts that stand beside the value of an aggregation. */
export const countsOf = (
  { counts, ownCounts }: Pick<MapMode, 'counts' | 'ownCounts'>,
  aggregation: SpatialAggregation,
): readonly string[] => ownCounts?.[aggregation] ?? counts

/** All that an answer of the map can have. */
export const allCounts = ({ counts, ownCounts = {} }: Pick<MapMode, 'counts' | 'ownCounts'>): string[] => [
  ...counts,
  ...Object.values(ownCounts).flat(),
]

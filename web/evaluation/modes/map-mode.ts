import type { SpatialAggregation, SpatialMode } from '#contract/spatial.ts'
import type { LocalDay } from '#contract/period.ts'
import type { HeatPoint } from '#web/map/layers/heat-points.ts'
import type { HeatPlace, MapSearch } from '../map-search.ts'

/** The fields that a panel can have, by name. */
export type FieldName =
  | 'mode'
  | 'aggregation'
  | 'layer'
  | 'shape'
  | 'period'
  | 'compare'
  | 'byDay'
  | 'weekdays'
  | 'hours'
  | 'parkedDuration'
  | 'operators'
  | 'vehicleTypes'
  | 'buffer'
  | 'heat'
  | 'colors'

/** Points that a map can show in place of values. */
export interface HeatSource {
  places: readonly [HeatPlace, ...HeatPlace[]]
  load: (search: MapSearch, regionId: string, today: LocalDay, signal: AbortSignal) => Promise<HeatPoint[]>
}

/** All that tells one map of values by shape from another; its texts stand under its key and its aggregations' names. */
export interface MapMode {
  /** Also the page that shows it. */
  key: SpatialMode
  aggregations: readonly SpatialAggregation[]
  /** The panel, from top to bottom. */
  fields: readonly FieldName[]
  /** Counts of a shape that stand as columns beside the value, where the answer has them; those by operator follow by themselves. */
  counts: readonly string[]
  /** The counts in their place where another aggregation has its own. */
  ownCounts?: Partial<Record<SpatialAggregation, readonly string[]>>
  /** Counts that have no total, because a fact counts in several shapes even if these do not overlap. */
  notSummed?: readonly string[]
  /** Whether a selected shape filters what is asked: then the map shows the other ends of its trips. */
  narrows: boolean
  heat: HeatSource | null
  /** The type of policies whose bounds stand beside the values. */
  targets?: 'distribution' | 'operator_drop_offs'
}

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

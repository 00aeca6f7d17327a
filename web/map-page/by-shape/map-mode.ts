import type { z } from 'zod'
import type { MeasureKey } from '#contract/metrics.ts'
import type { SpatialAggregation, SpatialMode, SpatialRequest } from '#contract/spatial.ts'
import type { LocalDay } from '#contract/period.ts'
import type { HeatPoint } from '#web/map/layers/heat-points.ts'
import type { HeatPlace, MapSearch } from './map-search.ts'

export type MapQuestion = z.input<typeof SpatialRequest>

/** The fields that a panel can have, by name. */
export type FieldName =
  | 'mode'
  | 'aggregation'
  | 'layer'
  | 'shape'
  | 'period'
  | 'compare'
  | 'parkedDuration'
  | 'operators'
  | 'vehicleTypes'
  | 'times'
  | 'display'

/** Points that a map can show instead of values. */
export interface HeatSource {
  places: readonly [HeatPlace, ...HeatPlace[]]
  load: (search: MapSearch, regionId: string, today: LocalDay, signal: AbortSignal) => Promise<HeatPoint[]>
}

/** The definition of a map of values by shape; its texts are under its key and names of its aggregations. */
export interface MapMode {
  /** Also the key of its page. */
  key: SpatialMode
  aggregations: readonly SpatialAggregation[]
  /** The measure that is shown beside the options of filters. */
  counted: MeasureKey
  /** The panel, from top to bottom. */
  fields: readonly FieldName[]
  /**
   * Counts of a shape that are shown as columns, if the response has them; those by operator are added
   * automatically.
   */
  counts: readonly string[]
  /** Counts of an aggregation that differ from the default. */
  ownCounts?: Partial<Record<SpatialAggregation, readonly string[]>>
  /** Counts without a total, because a fact counts in several shapes even if these do not overlap. */
  notSummed?: readonly string[]
  /** Whether a selected shape can filter the trips; the map then shows where their other ends are. */
  canFilterByShape: boolean
  heat: HeatSource | null
  /** The type of policies with bounds that are shown beside the values. */
  targets?: 'distribution' | 'operator_drop_offs'
}

/** Keys of the counts that are shown with an aggregation. */
export const getCountKeys = (
  { counts, ownCounts }: Pick<MapMode, 'counts' | 'ownCounts'>,
  aggregation: SpatialAggregation,
): readonly string[] => ownCounts?.[aggregation] ?? counts

/** Keys of all counts that a response may have. */
export const allCounts = ({ counts, ownCounts = {} }: Pick<MapMode, 'counts' | 'ownCounts'>): string[] => [
  ...counts,
  ...Object.values(ownCounts).flat(),
]

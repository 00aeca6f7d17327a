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

/** The definition of a map of values by shape. Its texts have its key and those of its aggregations. */
export interface MapMode {
  /** Also the key of its page. */
  key: SpatialMode
  aggregations: readonly SpatialAggregation[]
  /** The measure that is shown beside the options of filters. */
  filterMeasure: MeasureKey
  /** The panel, from top to bottom. */
  fields: readonly FieldName[]
  /** Keys of counts that are shown as columns if the response has them; counts by operator are always shown. */
  counts: readonly string[]
  /** Counts of an aggregation that differ from the default. */
  countsByAggregation?: Partial<Record<SpatialAggregation, readonly string[]>>
  /** Counts without a total, because a fact counts in several shapes even if these do not overlap. */
  countsWithoutTotal?: readonly string[]
  /** Whether a selected shape can filter the trips; the map then shows where their other ends are. */
  canFilterByShape: boolean
  heat: HeatSource | null
  /** The type of policies with bounds that are shown beside the values. */
  targetPolicyType?: 'distribution' | 'operator_drop_offs'
}

/** Returns the keys of the counts that are shown with an aggregation. */
export const getCountKeys = (
  { counts, countsByAggregation }: Pick<MapMode, 'counts' | 'countsByAggregation'>,
  aggregation: SpatialAggregation,
): readonly string[] => countsByAggregation?.[aggregation] ?? counts

/** Returns the keys of all counts that a response may have. */
export const allCounts = ({
  counts,
  countsByAggregation = {},
}: Pick<MapMode, 'counts' | 'countsByAggregation'>): string[] => [
  ...counts,
  ...Object.values(countsByAggregation).flat(),
]

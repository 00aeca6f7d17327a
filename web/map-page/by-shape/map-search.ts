import { maxBufferMeters, maxParkedMinutes } from '#contract/map-names.ts'
import type { SpatialAggregation, TimeBucket } from '#contract/spatial.ts'
import { colorsParam } from '#web/filters/color-field.tsx'
import { comparisonParams, orderComparison } from '#web/filters/comparison.ts'
import { orderPeriod } from '#web/filters/period.ts'
import { readVehicleType, tripFilterParams } from '#web/filters/trip-filters.ts'
import {
  day,
  enumListParam,
  enumParam,
  flag,
  integer,
  matching,
  searchParams,
  tableParams,
  uuid,
  view,
} from '#web/shell/search-params.ts'

export const heatPlaces = ['origin', 'destination', 'parked'] as const
export type HeatPlace = (typeof heatPlaces)[number]
/** Steps of a time axis: hours of the day over all days of the period, or single days. */
export const timeBuckets = ['hour_of_day', 'day'] as const satisfies readonly TimeBucket[]
/** What can be shown for each day of the period. */
export const axisExtras = ['weather', 'issues'] as const
export type AxisExtra = (typeof axisExtras)[number]

/** The parameters that only some maps have. */
interface ModeParams {
  aggregations: readonly SpatialAggregation[]
  heat: { places: readonly HeatPlace[] } | null
  fields: readonly string[]
}

/** URL parameters of a map of values by shape; parameters of other maps are ignored. */
export const mapParams = ({ aggregations, heat, fields }: ModeParams) =>
  searchParams(
    {
      aggregation: enumParam(aggregations, aggregations[0]),
      layer: uuid,
      shape: uuid,
      /** Only trips that start or end in the selected shape. */
      filter_by_shape: flag,
      ...tripFilterParams,
      buffer: integer(1, maxBufferMeters),
      /** Minimum parking time in minutes. */
      parked_duration: integer(1, fields.includes('parkedDuration') ? maxParkedMinutes : 0),
      heat: enumParam(heat?.places ?? []),
      colors: colorsParam,
      results: flag,
      ...tableParams,
      view,
      /** Step of the time axis; absent without an axis. */
      by: enumParam(timeBuckets),
      /** The current step: an hour (0 to 23) or a day. */
      at: matching(/^(\d{4}-\d\d-\d\d|1?\d|2[0-3])$/),
      /** What is shown for each day of the period, with or without a time axis. */
      under: enumListParam(axisExtras),
      ...comparisonParams,
    },
    orderPeriod,
    readVehicleType,
    orderComparison,
    playOrCompare,
    filterNeedsShape,
  )
export type MapSearch = ReturnType<ReturnType<typeof mapParams>>

/** Rule: the filter by a shape requires a selected shape. */
export const filterNeedsShape = <
  S extends { shape?: string | undefined; filter_by_shape?: true | undefined },
>(
  state: S,
): S => (state.shape === undefined ? { ...state, filter_by_shape: undefined } : state)

interface PlaybackState {
  /** The buckets of the time axis. */
  by?: TimeBucket | undefined
  /** The shown bucket; none shows the entire period. */
  at?: string | undefined
  /** What is shown below the time axis. */
  under?: AxisExtra[] | undefined
  compare_start_date?: string | undefined
}

/** Rule: a comparison has no time axis and no values by day; the step must be one of the axis. */
export function playOrCompare<S extends PlaybackState>(state: S): S {
  const isComparing = state.compare_start_date !== undefined
  const by = isComparing ? undefined : state.by
  const isHour = state.at !== undefined && state.at.length <= 2
  const isStep = state.at !== undefined && (by === 'day' ? day(state.at) : by && isHour)
  return { ...state, by, at: isStep ? state.at : undefined, under: isComparing ? undefined : state.under }
}

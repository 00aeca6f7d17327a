import type { LocalDay } from '#contract/period.ts'
import type { SpatialAggregation, TimeBucket } from '#contract/spatial.ts'
import type { TripFilters } from './read-trip-filters.ts'

export const colorSchemes = ['tide', 'dusk', 'clay'] as const
export const heatPlaces = ['origin', 'destination', 'parked'] as const
export type HeatPlace = (typeof heatPlaces)[number]
export const largestBuffer = 5000
export const longestParked = 525_600
export const timeBuckets = ['hour_of_day', 'day'] as const satisfies readonly TimeBucket[]
export const axisExtras = ['weather', 'issues'] as const
export type AxisExtra = (typeof axisExtras)[number]

/** The state of any map of values by shape in the address bar: the union of all their fields. What has its default value is absent. */
export interface MapSearch extends TripFilters {
  aggregation?: SpatialAggregation | undefined
  layer?: string | undefined
  shape?: string | undefined
  buffer?: number | undefined
  /** Minutes that a vehicle rested at least. */
  parkingDurationFilter?: number | undefined
  heat?: HeatPlace | undefined
  colors?: (typeof colorSchemes)[number] | undefined
  results?: true | undefined
  /** Longitude, latitude, zoom. */
  view?: [lon: number, lat: number, zoom: number] | undefined
  /** What the time axis is cut into; absent: there is none. */
  by?: TimeBucket | undefined
  /** The piece of time that is shown: an hour or a day. */
  at?: string | undefined
  under?: AxisExtra[] | undefined
  /** A second period, compared with the first; never while the time axis is there. */
  compareStart?: LocalDay | undefined
  compareEnd?: LocalDay | undefined
  /** Two maps in place of the difference. */
  sideBySide?: true | undefined
  percent?: true | undefined
}

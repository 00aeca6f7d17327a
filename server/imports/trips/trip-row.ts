import type { TripFacts } from '#server/fleet/trip-quality.ts'

/** A trip of a file. NaN means unknown. */
export interface TripRow extends TripFacts {
  tripId: string
  operator: string
  vehicleType: string
  vehicleId: string
  /** The local day (days since 1970) and hour of the start. */
  day: number
  hour: number
  /** One bit per quality flag (contract/mobility.ts). */
  quality: number
}

/** The reason why a row is rejected, with a detail such as the invalid value. */
export interface RejectedRow {
  reason: keyof typeof setAsideReasons
  detail: string
}

/** The reasons why rows of trip files are rejected. */
export const setAsideReasons = {
  empty_row: 'Every field is empty',
  column_count: 'More or fewer fields than the header',
  unclosed_quote: 'A quotation mark opens and never closes',
  no_start_time: 'No start time',
  bad_start_time: 'The start time is not valid',
  bad_end_time: 'The end time is not valid',
  time_out_of_range: 'The start time is outside the years 1990 to 2100',
  bad_coordinate: 'A coordinate is not a number',
  outside_earth: 'Longitude or latitude is out of range',
  unknown_station: 'The station is not in the stations file',
  ambiguous_station: 'The stations file has several stations with this name',
  bad_distance: 'The distance is not a number',
  bad_duration: 'The duration is not a number',
  bad_operator: 'The operator name is not valid',
  duplicate_in_file: 'The same trip is on an earlier line of this file',
  already_stored: 'The same trip was already stored',
} as const

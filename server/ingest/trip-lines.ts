import { dayOfNumber } from '#contract/period.ts'
import { escaped, numberText as number } from '#server/stores/row-text.ts'
import type { TripRow } from './trip-row.ts'

/** Columns of `trips` in the order of a line. */
export const tripLineColumns = [
  'region_id', 'trip_id', 'operator', 'vehicle_type', 'vehicle_id', 'start_time', 'end_time', 'local_date', 'local_hour',
  'start_lon', 'start_lat', 'end_lon', 'end_lat', 'distance_m', 'duration_s', 'quality', 'import_id', 'chunk', 'line',
] as const

/** As DateTime64(3) reads it; a number of seconds would be read otherwise for early times. */
const time = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').slice(0, 23)

const days = new Map<number, string>()
/** A local day's text; the same few days come again and again. */
function dayText(day: number): string {
  let text = days.get(day)
  if (text === undefined) days.set(day, (text = dayOfNumber(day)))
  return text
}

/** One trip as a line of tab-separated text for `trips`, with the row as it came for `trips_staging`. */
export const tripLine = (trip: TripRow, regionId: string, importId: string, chunk: number, line: number, raw: string | null = null): string =>
  `${regionId}\t${trip.tripId}\t${escaped(trip.operator)}\t${trip.vehicleType}\t${escaped(trip.vehicleId)}\t${time(trip.startMs)}\t${Number.isNaN(trip.endMs) ? '\\N' : time(trip.endMs)}\t${dayText(trip.day)}\t${trip.hour}\t${number(trip.startLon)}\t${number(trip.startLat)}\t${number(trip.endLon)}\t${number(trip.endLat)}\t${number(trip.distanceM)}\t${number(trip.durationS)}\t${trip.quality}\t${importId}\t${chunk}\t${line}${raw === null ? '' : `\t${escaped(raw)}`}\n`

import { dayFromNumber } from '#contract/period.ts'
import type { RowWriter } from '#server/stores/row-text.ts'
import type { TripRow } from './trip-row.ts'

const dayMs = 86_400_000

const days = new Map<number, string>()
/** A day's text, cached: files have few days. */
function dayText(day: number): string {
  let text = days.get(day)
  if (text === undefined) days.set(day, (text = dayFromNumber(day)))
  return text
}

/** Writes a time in the format of DateTime64(3); seconds would be misread for early times. */
function writeTime(rows: RowWriter, ms: number): void {
  const day = Math.floor(ms / dayMs)
  rows.dateTime(dayText(day), Math.floor(ms - day * dayMs))
}

/** Writes one trip as a row of `trips`, with the fields of further columns. */
export function writeTrip(
  rows: RowWriter,
  trip: TripRow,
  regionId: string,
  importId: string,
  chunk: number,
  line: number,
  more: readonly string[] = [],
): void {
  rows.text(regionId).text(trip.tripId).text(trip.operator).text(trip.vehicleType).text(trip.vehicleId)
  writeTime(rows, trip.startMs)
  if (Number.isNaN(trip.endMs)) rows.none()
  else writeTime(rows, trip.endMs)
  rows
    .text(dayText(trip.day))
    .number(trip.hour)
    .number(trip.startLon)
    .number(trip.startLat)
    .number(trip.endLon)
    .number(trip.endLat)
  rows
    .number(trip.distanceM)
    .number(trip.durationS)
    .number(trip.quality)
    .text(importId)
    .number(chunk)
    .number(line)
  for (const field of more) rows.text(field)
  rows.endRow()
}

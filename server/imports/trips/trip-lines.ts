import { dayFromNumber, dayMs } from '#contract/period.ts'
import type { RowWriter } from '#server/stores/row-text.ts'
import type { TripRow } from './trip-row.ts'

const dayTexts = new Map<number, string>()
/** Formats a day. Cached, because files have few days. */
function formatDay(day: number): string {
  let text = dayTexts.get(day)
  if (text === undefined) dayTexts.set(day, (text = dayFromNumber(day)))
  return text
}

/** Writes a time as date and time of day. DateTime64(3) would misread early times as numbers of seconds. */
function writeTime(rows: RowWriter, ms: number): void {
  const day = Math.floor(ms / dayMs)
  rows.dateTime(formatDay(day), Math.floor(ms - day * dayMs))
}

/** The import, chunk and line (from 1) that a trip comes from. */
export interface TripOrigin {
  regionId: string
  importId: string
  chunk: number
  line: number
}

/** Writes a trip as a row of `trips`, followed by the fields of other columns. */
export function writeTrip(
  rows: RowWriter,
  trip: TripRow,
  { regionId, importId, chunk, line }: TripOrigin,
  otherFields: readonly string[] = [],
): void {
  rows.text(regionId).text(trip.tripId).text(trip.operator).text(trip.vehicleType).text(trip.vehicleId)
  writeTime(rows, trip.startMs)
  if (Number.isNaN(trip.endMs)) rows.none()
  else writeTime(rows, trip.endMs)
  rows
    .text(formatDay(trip.day))
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
  for (const field of otherFields) rows.text(field)
  rows.endRow()
}

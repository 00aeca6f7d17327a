import type { LocalDay } from '#contract/period.ts'
import type { DayRecords } from './day-facts.ts'
import type { HourTable } from './figures/usual-counts.ts'
import type { FeedTrips, Received } from './figures/operator-facts.ts'
import type { ReceivedRow } from './queries/received.ts'
import type { TripCountRow } from './queries/trip-counts.ts'

/** Adds up an operator's records by day and hour; with `feed`, only the events of that feed. */
export function toHourTable(
  days: ReadonlyMap<LocalDay, { body: readonly DayRecords[] }>,
  operator: string,
  feed?: string,
): HourTable {
  const table = new Map<LocalDay, number[]>()
  for (const [day, { body }] of days) {
    const hours = Array.from({ length: 24 }, () => 0)
    for (const records of body)
      if (records.operator === operator && (feed === undefined || records.feed === feed))
        for (const [hour, count] of records.hours.entries()) hours[hour] = (hours[hour] ?? 0) + count
    table.set(day, hours)
  }
  return table
}

export const toReceived = (row: ReceivedRow): Received => ({
  accepted: Number(row.accepted),
  setAside: Number(row.set_aside),
  repeated: Number(row.repeated),
  skewed: Number(row.skewed),
})

export const toFeedTrips = (row: TripCountRow): FeedTrips => ({
  count: Number(row.trips),
  reportedWithEvents: Number(row.both),
  reported: Number(row.reported),
  withoutEvents: Number(row.without_events),
  withoutReport: Number(row.without_report),
  withoutEnd: Number(row.without_end),
  withoutReportOrEnd: Number(row.without_report_or_end),
  impossible: Number(row.impossible),
})

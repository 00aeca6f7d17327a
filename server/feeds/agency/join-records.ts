import { type FeedRecords, noRecords } from '#server/fleet/events/feed-records.ts'

/**
 * Joins the records of several pushes. Not `push(...list)`: lists may be longer than the maximum number of
 * arguments.
 */
export function joinRecords(pushes: readonly FeedRecords[]): FeedRecords {
  const joined = noRecords()
  for (const { vehicles, events, trips, telemetry, stops, findings } of pushes) {
    for (const each of vehicles) joined.vehicles.push(each)
    for (const each of events) joined.events.push(each)
    for (const each of trips) joined.trips.push(each)
    for (const each of telemetry) joined.telemetry.push(each)
    for (const each of stops) joined.stops.push(each)
    for (const each of findings) joined.findings.push(each)
  }
  return joined
}

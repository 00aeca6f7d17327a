import { type FeedRecords, noRecords } from '#server/mobility/fleet/feed-records.ts'

/** Records of several in one; lists may be longer than a call takes arguments. */
export function joinRecords(all: readonly FeedRecords[]): FeedRecords {
  const whole = noRecords()
  for (const { vehicles, events, trips, telemetry, stops, findings } of all) {
    for (const each of vehicles) whole.vehicles.push(each)
    for (const each of events) whole.events.push(each)
    for (const each of trips) whole.trips.push(each)
    for (const each of telemetry) whole.telemetry.push(each)
    for (const each of stops) whole.stops.push(each)
    for (const each of findings) whole.findings.push(each)
  }
  return whole
}

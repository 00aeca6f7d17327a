import type { Read } from '../adapters/adapter.ts'
import { countIngested } from '#server/metrics/count-ingested.ts'
import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import type { BatchResult } from '#server/fleet/events/fleet-ingest.ts'
import type { Feeds } from '../feeds.ts'
import type { FeedSource } from '../feed-source.ts'

/** Where parsed records belong. Times are ms. */
export interface RecordOrigin {
  stream: string
  windowStart: number
  received: number
}

const countOf = ({ vehicles, events, trips, telemetry, stops }: FeedRecords): number =>
  vehicles.length + events.length + trips.length + telemetry.length + stops.length

/** The time of the newest record, ms; null if none has a time. A record with a later time counts at its receipt. */
export function newestOf(
  { events, trips, telemetry, vehicles, stops }: FeedRecords,
  received: number,
): number | null {
  let newest = vehicles.length || stops.length ? received : Number.NEGATIVE_INFINITY
  const seen = (time: number): void => {
    if (time > newest) newest = time
  }
  // Not Math.max(...all): an hour of telemetry exceeds the maximum number of arguments.
  for (const event of events) seen(event.time)
  for (const point of telemetry) seen(point.time)
  for (const trip of trips) seen(Number.isNaN(trip.endTime) ? trip.startTime : trip.endTime)
  return Number.isFinite(newest) ? Math.min(newest, received) : null
}

/** Stores parsed records: vehicles in the fleet, everything else in the sink of its kind. */
export async function recordPull(
  { fleetIngest, sinks }: Pick<Feeds, 'fleetIngest' | 'sinks'>,
  { feed, kind }: FeedSource,
  { records, other }: Read,
  { stream, windowStart, received }: RecordOrigin,
): Promise<BatchResult & { newest: number | null }> {
  const { organizationId, regionId, operator, feedId } = feed
  let result: BatchResult = { accepted: 0, setAside: 0, repeated: 0 }
  if (countOf(records) > 0 || records.findings.length > 0)
    result = await fleetIngest.store({
      organizationId,
      regionId,
      operator,
      feedId,
      stream,
      pullWindow: windowStart,
      received,
      records,
    })
  let newest = newestOf(records, received)
  if (other !== undefined) {
    const sink = sinks[kind]
    if (!sink) throw new Error(`There is no sink for feeds of kind ${kind}`)
    const count = await sink(feed, other, received)
    result = { ...result, accepted: result.accepted + count }
    if (count > 0) newest = Math.max(newest ?? 0, received)
  }
  countIngested('pull', result)
  return { ...result, newest }
}

import { countIngested } from '#server/metrics/count-ingested.ts'
import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import type { BatchResult } from '#server/fleet/events/fleet-ingest.ts'
import type { ReadResult } from '../adapters/adapter.ts'
import type { FeedServices } from '../feed-services.ts'
import type { FeedSource } from '../feed-source.ts'

/** The pull or push that records belong to. Times are ms since 1970. */
export interface RecordOrigin {
  stream: string
  windowStart: number
  received: number
}

const countRecords = ({ vehicles, events, trips, telemetry, stops }: FeedRecords): number =>
  vehicles.length + events.length + trips.length + telemetry.length + stops.length

/**
 * Finds the time of the newest record, ms; null if none has a time. Records with a time after their receipt,
 * and those without a time of their own, count at their receipt.
 */
export function findNewestTime(
  { events, trips, telemetry, vehicles, stops }: FeedRecords,
  received: number,
): number | null {
  let newestTime = vehicles.length || stops.length ? received : Number.NEGATIVE_INFINITY
  const include = (time: number): void => {
    if (time > newestTime) newestTime = time
  }
  // Not Math.max(...times): an hour of telemetry exceeds the maximum number of arguments.
  for (const event of events) include(event.time)
  for (const point of telemetry) include(point.time)
  for (const trip of trips) include(Number.isNaN(trip.endTime) ? trip.startTime : trip.endTime)
  return Number.isFinite(newestTime) ? Math.min(newestTime, received) : null
}

/** Stores a page: fleet records and findings in the fleet, other content in the sink of the feed's kind. */
export async function recordPull(
  { fleetIngest, sinks }: Pick<FeedServices, 'fleetIngest' | 'sinks'>,
  { feed, kind }: FeedSource,
  { records, other }: ReadResult,
  { stream, windowStart, received }: RecordOrigin,
): Promise<BatchResult & { newest: number | null }> {
  const { organizationId, regionId, operator, feedId } = feed
  let result: BatchResult = { accepted: 0, setAside: 0, repeated: 0 }
  if (countRecords(records) > 0 || records.findings.length > 0)
    result = await fleetIngest.store({
      organizationId,
      regionId,
      operator,
      feedId,
      stream,
      windowStart,
      received,
      records,
    })
  let newest = findNewestTime(records, received)
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

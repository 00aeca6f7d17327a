import type { Read } from '#server/ingest/adapters/adapter.ts'
import { countIngested } from '#server/metrics/count-ingested.ts'
import type { FeedRecords } from '#server/mobility/fleet/feed-records.ts'
import type { BatchResult } from '#server/mobility/fleet/fleet-ingest.ts'
import type { Feeds } from './feeds.ts'
import type { FeedSource } from './feed-source.ts'

/** What was read of one answer, with where it belongs. Times are ms. */
export interface RecordOrigin {
  stream: string
  piece: number
  received: number
}

const countOf = ({ vehicles, events, trips, telemetry, stops }: FeedRecords): number =>
  vehicles.length + events.length + trips.length + telemetry.length + stops.length

/** The time of the newest record, ms; null where none has one. What lies after its receipt counts as received then. */
export function newestOf(
  { events, trips, telemetry, vehicles, stops }: FeedRecords,
  received: number,
): number | null {
  let newest = vehicles.length || stops.length ? received : Number.NEGATIVE_INFINITY
  const seen = (time: number): void => {
    if (time > newest) newest = time
  }
  // Not by Math.max(...all): an hour of telemetry is longer than a call may have arguments.
  for (const event of events) seen(event.time)
  for (const point of telemetry) seen(point.time)
  for (const trip of trips) seen(Number.isNaN(trip.endTime) ? trip.startTime : trip.endTime)
  return Number.isFinite(newest) ? Math.min(newest, received) : null
}

/** Hands what was read to whom it is for: vehicles to the fleet, the rest to the sink of its kind. Stored when it answers. */
export async function recordPull(
  { fleetIngest: keeper, sinks }: Pick<Feeds, 'fleetIngest' | 'sinks'>,
  { asked, kind }: FeedSource,
  { records, other }: Read,
  { stream, piece, received }: RecordOrigin,
): Promise<BatchResult & { newest: number | null }> {
  const { organizationId, regionId, operator, feedId } = asked
  let result: BatchResult = { accepted: 0, setAside: 0, repeated: 0 }
  if (countOf(records) > 0 || records.findings.length > 0)
    result = await keeper.take({
      organizationId,
      regionId,
      operator,
      feedId,
      stream,
      pullWindow: piece,
      received,
      records,
    })
  let newest = newestOf(records, received)
  if (other !== undefined) {
    const sink = sinks[kind]
    if (!sink) throw new Error(`Nobody keeps what ${kind} brings`)
    const count = await sink(asked, other, received)
    result = { ...result, accepted: result.accepted + count }
    if (count > 0) newest = Math.max(newest ?? 0, received)
  }
  countIngested('pull', result)
  return { ...result, newest }
}

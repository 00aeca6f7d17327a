import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import { pushedKinds } from '#contract/feeds.ts'
import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { type BlobStore, readBlob } from '#server/stores/blobs/blob-store.ts'
import { UnreadableBody } from '../adapters/adapter.ts'
import { findSources, type FeedSource } from '../feed-source.ts'
import { findAdapter } from '../adapters/list.ts'
import type { FeedServices } from '../feed-services.ts'
import { findFeedRow } from '../find-feeds.ts'
import { readResponse } from '../reading/read-response.ts'
import { recordPull } from '../pull/record-pull.ts'
import { type RawHead, rawRoot } from './raw-files.ts'

const gunzipAsync = promisify(gunzip)

/** A retained response or push. */
interface StoredResponse {
  head: RawHead
  body: Buffer
}

/** Reads the first line of a file. Earlier versions called `windowStart` `piece`. */
function readHead(line: string): RawHead {
  const { piece, ...head } = JSON.parse(line) as RawHead & { piece?: number }
  return piece === undefined ? head : { ...head, windowStart: piece }
}

/** Reads a retained response; null if the file is missing or damaged. */
export async function readRaw(blobs: BlobStore, key: string): Promise<StoredResponse | null> {
  try {
    const compressed = await readBlob(blobs, key)
    if (!compressed) return null
    const bytes = await gunzipAsync(compressed)
    const lineEnd = bytes.indexOf('\n')
    return { head: readHead(bytes.subarray(0, lineEnd).toString('utf8')), body: bytes.subarray(lineEnd + 1) }
  } catch {
    return null
  }
}

/** Removes pushed records of unregistered vehicles, as a push rejects them. Pulls need no registration. */
export async function removeUnregistered(
  { fleetIngest }: Pick<FeedServices, 'fleetIngest'>,
  { kind, feed }: Pick<FeedSource, 'kind' | 'feed'>,
  records: FeedRecords,
): Promise<FeedRecords> {
  const { events, trips, telemetry } = records
  if (!pushedKinds.includes(kind) || !feed.operator) return records
  const deviceIds = [...new Set([...events, ...trips, ...telemetry].map(({ deviceId }) => deviceId))]
  if (!deviceIds.length) return records
  const registered = await fleetIngest.findRegistered(
    feed.organizationId,
    feed.regionId,
    feed.operator,
    deviceIds,
  )
  const isRegistered = ({ deviceId }: { deviceId: string }): boolean => registered.has(deviceId)
  return {
    ...records,
    events: events.filter(isRegistered),
    trips: trips.filter(isRegistered),
    telemetry: telemetry.filter(isRegistered),
  }
}

/** The input to read again. */
interface RereadRequest {
  /** Empty for all streams. */
  streams: readonly string[]
  from: string
  until: string
}

/** The number of files that were read, of their records by result, and of files that could not be read. */
interface RereadCounts {
  files: number
  accepted: number
  setAside: number
  repeated: number
  unreadable: number
}

/** Reads a feed's retained input again, as if it had just arrived. Stored records are not changed. */
export async function rereadRaw(
  feeds: FeedServices,
  scope: Scope,
  {
    params,
    body: { streams, from, until },
    signal,
  }: { params: { region_id: string; feed_id: string }; body: RereadRequest; signal: AbortSignal },
): Promise<RereadCounts> {
  const row = await findFeedRow(feeds.state.as(scope), params)
  const [source] = await findSources(feeds, [row.feed_id])
  if (!source) throw new Problem('not_found', 'There is no such feed.')
  const fromMs = Date.parse(from)
  const untilMs = Date.parse(until)
  const counts: RereadCounts = { files: 0, accepted: 0, setAside: 0, repeated: 0, unreadable: 0 }
  for await (const { key } of feeds.blobs.list(`${rawRoot}${row.region_id}/${row.feed_id}/`)) {
    if (signal.aborted) break
    const response = await readRaw(feeds.blobs, key)
    if (!response) {
      counts.unreadable++
      continue
    }
    const { head, body } = response
    if (
      head.windowStart < fromMs ||
      head.windowStart >= untilMs ||
      (streams.length > 0 && !streams.includes(head.stream))
    )
      continue
    // The feed may have another version now than when the response was received.
    const feed = { ...source.feed, version: head.version }
    const adapter = findAdapter(feeds.adapters, { kind: source.kind, version: head.version })
    counts.files++
    try {
      if (!adapter) throw new UnreadableBody('This version cannot be read.')
      for await (const result of readResponse(adapter, feed, { ...head, body }, () => undefined)) {
        const stored = await recordPull(
          feeds,
          { ...source, feed },
          { ...result, records: await removeUnregistered(feeds, source, result.records) },
          head,
        )
        counts.accepted += stored.accepted
        counts.setAside += stored.setAside
        counts.repeated += stored.repeated
      }
    } catch (error) {
      // Unreadable input was reported when it arrived.
      if (!(error instanceof UnreadableBody)) throw error
      counts.unreadable++
    }
  }
  return counts
}

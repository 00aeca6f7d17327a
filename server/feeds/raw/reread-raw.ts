import { Problem } from '#server/http/problem.ts'
import { UnreadableBody } from '../adapters/adapter.ts'
import type { Scope } from '#server/stores/scope.ts'
import { findSources, type FeedSource } from '../feed-source.ts'
import { adapterOf, type Feeds } from '../feeds.ts'
import { findFeedRow } from '../find-feeds.ts'
import { readAnswer } from '../reading/read-answer.ts'
import { recordPull } from '../pull/record-pull.ts'
import { pushedKinds } from '#contract/feeds.ts'
import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { type BlobStore, readBlob } from '#server/stores/blobs/blob-store.ts'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type RawHead, rawRoot } from './raw-files.ts'

const unpack = promisify(gunzip)

/** A retained response. */
interface StoredResponse {
  head: RawHead
  body: Buffer
}

/** Earlier versions called the start of the window `piece`. */
function readHead(line: string): RawHead {
  const { piece, ...head } = JSON.parse(line) as RawHead & { piece?: number }
  return piece === undefined ? head : { ...head, windowStart: piece }
}

/** A retained response; null if the file is not one. */
export async function readRaw(blobs: BlobStore, key: string): Promise<StoredResponse | null> {
  try {
    const packed = await readBlob(blobs, key)
    if (!packed) return null
    const bytes = await unpack(packed)
    const end = bytes.indexOf(10)
    return {
      head: readHead(bytes.subarray(0, end).toString('utf8')),
      body: bytes.subarray(end + 1),
    }
  } catch {
    return null
  }
}

/** Of pushed records, those that a push would accept: facts of registered vehicles (MDS Agency). Pulled records need no registration. */
export async function dropUnregistered(
  { fleetIngest }: Pick<Feeds, 'fleetIngest'>,
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

interface Span {
  /** All if absent. */
  streams: readonly string[]
  from: string
  until: string
}

interface Reread {
  files: number
  accepted: number
  setAside: number
  repeated: number
  unreadable: number
}

/** Reads the retained input of a feed and span again, as if it had just arrived; stored records stay as they are. */
export async function rereadRaw(
  feeds: Feeds,
  scope: Scope,
  ids: { region_id: string; feed_id: string },
  { streams, from, until }: Span,
  signal: AbortSignal,
): Promise<Reread> {
  const row = await findFeedRow(feeds.state.as(scope), ids)
  const [source] = await findSources(feeds, [row.feed_id])
  if (!source) throw new Problem('not_found', 'There is no such feed.')
  const [first, last] = [Date.parse(from), Date.parse(until)]
  const so: Reread = { files: 0, accepted: 0, setAside: 0, repeated: 0, unreadable: 0 }
  for await (const { key } of feeds.blobs.list(`${rawRoot}${row.region_id}/${row.feed_id}/`)) {
    if (signal.aborted) break
    const stored = await readRaw(feeds.blobs, key)
    if (!stored) {
      so.unreadable++
      continue
    }
    const { head, body } = stored
    if (
      head.windowStart < first ||
      head.windowStart >= last ||
      (streams.length > 0 && !streams.includes(head.stream))
    )
      continue
    // With the version of the time: the feed may have another one now.
    const feed = { ...source.feed, version: head.version }
    const adapter = adapterOf(feeds.adapters, { kind: source.kind, version: head.version })
    so.files++
    try {
      if (!adapter) throw new UnreadableBody('This version cannot be read.')
      for await (const read of readAnswer(adapter, feed, { ...head, body }, () => undefined)) {
        const took = await recordPull(
          feeds,
          { ...source, feed },
          { ...read, records: await dropUnregistered(feeds, source, read.records) },
          head,
        )
        so.accepted += took.accepted
        so.setAside += took.setAside
        so.repeated += took.repeated
      }
    } catch (error) {
      // Invalid input was invalid when it arrived.
      if (!(error instanceof UnreadableBody)) throw error
      so.unreadable++
    }
  }
  return so
}

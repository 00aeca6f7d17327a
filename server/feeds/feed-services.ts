import type { KeySettings } from '#server/api-keys/list-keys.ts'
import type { FeedKind } from '#contract/feeds.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Log } from '#server/jobs/log.ts'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import type { Adapter } from './adapters/adapter.ts'
import type { SinkFeed } from './sinks/sink-feed.ts'

/**
 * Stores the content of a page (`ReadResult.other`) for feeds that are not fleets. Must be idempotent.
 * Returns the number of records. `received`: ms since 1970.
 */
export type Sink = (feed: SinkFeed, other: unknown, received: number) => Promise<number>

/** Dependencies of the feeds room. */
export interface FeedServices {
  state: State
  /** Limits of the API keys that are created for pushes. Optional, because tests can use the defaults. */
  keySettings?: KeySettings | undefined
  facts: Facts
  fleetIngest: FleetIngest
  secretBox: SecretBox
  fetch: GuardedFetch
  blobs: BlobStore
  log: Log
  now: () => Date
  sinks: Partial<Record<FeedKind, Sink>>
  adapters: readonly Adapter[]
}

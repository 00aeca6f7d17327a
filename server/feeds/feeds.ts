import type { KeySettings } from '#server/api-keys/list-keys.ts'
import type { FeedKind } from '#contract/feeds.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Adapter } from './adapters/adapter.ts'
import type { SinkFeed } from './sinks/sink-feed.ts'
import type { Log } from '#server/jobs/log.ts'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'

/** Stores the `other` part of a page, for feeds that are not fleets. Returns the number of records; storing them again must change nothing. `received` in ms. */
export type Sink = (feed: SinkFeed, other: unknown, received: number) => Promise<number>

/** What all of this room depends on. */
export interface Feeds {
  state: State
  keySettings?: KeySettings | undefined
  facts: Facts
  fleetIngest: FleetIngest
  box: SecretBox
  fetch: GuardedFetch
  blobs: BlobStore
  log: Log
  now: () => Date
  sinks: Partial<Record<FeedKind, Sink>>
  adapters: readonly Adapter[]
}

/** The adapter of a kind and version; undefined if there is none. */
export const adapterOf = (
  adapters: readonly Adapter[],
  { kind, version }: { kind: string; version: string },
): Adapter | undefined => adapters.find((each) => each.kind === kind && each.versions.includes(version))

import type { FeedKind } from '#contract/feeds.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Adapter, FeedAsked } from '#server/ingest/adapters/adapter.ts'
import type { Log } from '#server/jobs/log.ts'
import type { FleetIngest } from '#server/mobility/fleet/fleet-ingest.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'

/** A feed as a sink sees it. */
export interface SinkFeed extends FeedAsked {
  organizationId: string
}

/** Keeps what a feed brings that is no fleet: the `other` of one page. Ms of receipt; answers how many records it took. Taking the same again must change nothing. */
export type Sink = (feed: SinkFeed, other: unknown, received: number) => Promise<number>

/** What everything about feeds is done with. */
export interface Feeds {
  state: State
  facts: Facts
  fleetIngest: FleetIngest
  box: SecretBox
  fetch: GuardedFetch
  dataDir: string
  log: Log
  now: () => Date
  sinks: Partial<Record<FeedKind, Sink>>
  adapters: readonly Adapter[]
}

/** The adapter of a kind and version; none where it is not built. */
export const adapterOf = (
  adapters: readonly Adapter[],
  { kind, version }: { kind: string; version: string },
): Adapter | undefined => adapters.find((each) => each.kind === kind && each.versions.includes(version))

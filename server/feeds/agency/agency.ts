import type { Log } from '#server/jobs/log.ts'
import type { FleetIngest } from '#server/mobility/fleet/fleet-ingest.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import type { Pusher } from './find-pusher.ts'
import type { MdsContext } from '#server/ingest/mds/mds-context.ts'
import { storeRaw } from '#server/feeds/raw/store-raw.ts'

/** A push as it came, to be kept for `rawRetentionDays`. */
export interface RawPush {
  feedId: string
  regionId: string
  stream: string
  version: string
  /** Method and path. */
  url: string
  /** Ms since 1970. */
  received: number
  body: Uint8Array
}

/** What the Agency API stands on. */
export interface Agency {
  state: State
  facts: Facts
  fleetIngest: FleetIngest
  storeRaw: (push: RawPush) => Promise<void>
  log: Log
  now: () => Date
}

/** One request of an operator, known and read. */
export interface Push {
  pusher: Pusher
  /** Ms since 1970. */
  received: number
  json: unknown
}

/** As whose records a push is read. */
export const contextOf = ({ pusher: { operator, providerId, mode }, received }: Push): MdsContext => ({
  operator,
  providerId,
  received,
  ...(mode ? { mode } : {}),
})

/** More pushes of a feed do not come within a millisecond. */
const turns = 10_000

/** Keeps pushes among the raw input of their feeds. */
export function createRawPushStore(dataDir: string): (push: RawPush) => Promise<void> {
  let count = 0
  return ({ feedId, regionId, stream, version, url, received, body }) =>
    storeRaw(
      dataDir,
      { regionId, feedId },
      { url, status: 0, received, stream, piece: received, page: count++ % turns, version },
      body,
    )
}

import type { KeyGate } from '#server/api-keys/key-gate.ts'
import type { Log } from '#server/jobs/log.ts'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import type { Pusher } from './find-pusher.ts'
import type { MdsContext } from '../mds/mds-context.ts'
import { storeRaw } from '../raw/store-raw.ts'

/** A push as received. It is retained for the `rawRetentionDays` of the region. */
export interface RawPush {
  feedId: string
  regionId: string
  stream: string
  version: string
  /** Method and path. */
  url: string
  /** Milliseconds since 1970. */
  received: number
  body: Uint8Array
}

/** Dependencies of the Agency API. */
export interface Agency {
  state: State
  facts: Facts
  fleetIngest: FleetIngest
  storeRaw: (push: RawPush) => Promise<void>
  gate: KeyGate
  log: Log
  now: () => Date
}

/** An authenticated request of an operator. */
export interface Push {
  pusher: Pusher
  /** Milliseconds since 1970. */
  received: number
  json: unknown
}

/** Returns the context in which the records of a push are read. */
export const createPushContext = ({
  pusher: { operator, providerId, mode },
  received,
}: Push): MdsContext => ({ operator, providerId, received, ...(mode ? { mode } : {}) })

/** Pushes within one millisecond get file names that differ in their counter, which wraps at this number. */
const maxPushesPerMs = 10_000

/** Returns a function that stores a push among the raw input of its feed. */
export function createRawPushStore(blobs: Pick<BlobStore, 'put'>): (push: RawPush) => Promise<void> {
  let count = 0
  return ({ feedId, regionId, stream, version, url, received, body }) =>
    storeRaw(
      blobs,
      { regionId, feedId },
      { url, status: 0, received, stream, windowStart: received, page: count++ % maxPushesPerMs, version },
      body,
    )
}

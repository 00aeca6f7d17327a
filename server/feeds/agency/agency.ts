import type { Log } from '#server/jobs/log.ts'
import type { FleetKeeper } from '#server/mobility/fleet/fleet-keeper.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import type { Pusher } from './find-pusher.ts'

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
  keeper: FleetKeeper
  keepRaw: (push: RawPush) => Promise<void>
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

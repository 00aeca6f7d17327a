import type { Derivation } from '#server/derived/derivation.ts'
import type { FeedBatch, FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import { openFleetIngest } from '#server/fleet/events/open-fleet-ingest.ts'
import type { Log } from '#server/jobs/log.ts'
import type { StartupLog } from '#server/jobs/startup-log.ts'
import { LiveFleet } from '#server/live/live-fleet.ts'
import { shareLive } from '#server/live/share-live.ts'
import { createRouteDerivation } from '#server/routes/derive-routes.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { recordPushes } from './record-pushes.ts'
import { restoreSnapshotsOfOtherServers, restoreSnapshots, snapshotTopic } from './restore-snapshots.ts'
import { GbfsSink } from './sinks/gbfs-sink.ts'

interface LiveFleetOptions {
  state: State
  facts: Facts
  secretBox: SecretBox
  derivation: Derivation
  startup: StartupLog
  log: Log
  /** Milliseconds since 1970. */
  nowMs: () => number
}

/** The services that receive vehicles of feeds: the fleet, the live map and the snapshots of GBFS. */
export interface LiveFleetServices {
  live: LiveFleet
  fleetIngest: FleetIngest
  snapshots: GbfsSink
}

/** Opens the services with the data that were stored before the start. */
export async function openLiveFleet({
  state,
  facts,
  secretBox,
  derivation,
  startup,
  log,
  nowMs,
}: LiveFleetOptions): Promise<LiveFleetServices> {
  const live = new LiveFleet({ facts, log, nowMs })
  const shareBatch = shareLive(live, state.messages, nowMs)
  const recordPush = recordPushes(state, log)
  const onBatchStored = (batch: FeedBatch): void => {
    live.applyBatch(batch)
    shareBatch(batch)
    recordPush(batch)
  }
  const fleetIngest = await startup.step('fleet', () =>
    openFleetIngest({
      state,
      facts,
      log,
      nowMs,
      onBatchStored,
      deriveFromTrips: createRouteDerivation({ state, facts }),
      derivation,
    }),
  )
  const snapshots = new GbfsSink({
    state,
    facts,
    log,
    onSnapshot: (snapshot) => live.replaceSnapshot(snapshot),
    onStored: (feedId) => state.messages.send(snapshotTopic, { feedId }),
  })
  restoreSnapshotsOfOtherServers({ state, secretBox, log }, snapshots, state.messages)
  await startup.step('last snapshots', () => restoreSnapshots({ state, secretBox, log }, snapshots))
  return { live, fleetIngest, snapshots }
}

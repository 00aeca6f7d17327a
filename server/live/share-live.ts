import type { FeedBatch } from '#server/fleet/events/fleet-ingest.ts'
import type { ServerMessages } from '#server/stores/server-messages.ts'
import type { LiveFleet } from './live-fleet.ts'
import { getOldestLiveTime } from './tracked-fleet.ts'

/** The message to other servers about a stored batch: its earliest record and its receipt (ms since 1970). */
interface SharedBatch {
  regionId: string
  time: number
  received: number
}

const topic = 'batch'

/**
 * Updates the live fleets of all servers with records that any of them stores. A message contains only the
 * time range of a batch; other servers read its records from the fact store. Returns a function to call for
 * each stored batch.
 */
export function shareLive(
  live: Pick<LiveFleet, 'refresh' | 'refreshAll'>,
  messages: ServerMessages,
  nowMs: () => number,
): (batch: FeedBatch) => void {
  messages.on(topic, (data) => {
    const { regionId, time, received } = data as unknown as SharedBatch
    live.refresh(regionId, { time, received })
  })
  messages.onGap(() => live.refreshAll())
  return ({ regionId, received, records: { events, telemetry, vehicles } }) => {
    let time = Number.POSITIVE_INFINITY
    for (const record of events) time = Math.min(time, record.time)
    for (const record of telemetry) time = Math.min(time, record.time)
    // Registrations have no event time.
    if (vehicles.length) time = Math.min(time, received)
    const oldestTime = getOldestLiveTime(nowMs())
    // Records of a backfill are too old to affect the live map.
    const isLive =
      vehicles.length > 0 ||
      events.some((event) => event.time >= oldestTime) ||
      telemetry.some((point) => point.time >= oldestTime)
    if (isLive) messages.send(topic, { regionId, time: Math.max(time, oldestTime), received })
  }
}

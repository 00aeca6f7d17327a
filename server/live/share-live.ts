import type { ServerMessages } from '#server/stores/server-messages.ts'
import type { FeedBatch } from '#server/fleet/events/fleet-ingest.ts'
import type { LiveFleet } from './live-fleet.ts'
import { tooOldAt } from './tracked-fleet.ts'

interface SharedBatch {
  regionId: string
  /** The earliest record, ms. */
  time: number
  received: number
}

const topic = 'batch'

/**
 * Makes the live fleets of all servers show what any of them stores. A message only says that something was stored, and since
 * when; the others read it from the fact store. Returns what is to be called for each stored batch.
 */
export function shareLive(
  live: Pick<LiveFleet, 'refresh' | 'refreshAll'>,
  messages: ServerMessages,
  now: () => number,
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
    // Registrations have no time of their own.
    if (vehicles.length) time = Math.min(time, received)
    const tooOld = tooOldAt(now())
    // A backfill of the past changes nothing that is live.
    const isLive =
      vehicles.length > 0 ||
      events.some((event) => event.time >= tooOld) ||
      telemetry.some((point) => point.time >= tooOld)
    if (isLive) messages.send(topic, { regionId, time: Math.max(time, tooOld), received })
  }
}

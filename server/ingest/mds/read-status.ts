import type { FeedRecords } from '#server/mobility/fleet/feed-records.ts'
import { type Fields, uuidOf } from './fields.ts'
import { readEvent } from './read-event.ts'
import { readTelemetry } from './read-telemetry.ts'

/** Reads a Vehicle status of MDS 2.0: the vehicle's last event and last point, which must be its own. */
export function readStatus(fields: Fields, into: FeedRecords): void {
  const { faults } = fields.reading
  const deviceId = fields.uuid('device_id')
  fields.provider()
  const [events, points] = [into.events.length, into.telemetry.length]
  for (const [key, read] of [
    ['last_event', readEvent],
    ['last_telemetry', readTelemetry],
  ] as const) {
    const part = fields.within(key)
    if (!part) continue
    if (deviceId && uuidOf(part.item['device_id']) && uuidOf(part.item['device_id']) !== deviceId)
      part.bad('device_id', 'is another vehicle')
    read(part, into)
  }
  if (!faults.length) return
  into.events.length = events
  into.telemetry.length = points
}

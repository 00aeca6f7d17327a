import { encodeLines, listText, numberText, timeText } from '#server/stores/row-text.ts'
import { rank } from './rank.ts'
import { turnOf } from './turn-of.ts'
import type { VehicleEvent } from './vehicle-event.ts'

/** Columns of `vehicle_events` in the order of a line. */
export const eventLineColumns = [
  'region_id',
  'operator',
  'device_id',
  'event_time',
  'event_id',
  'state',
  'event_types',
  'trip_ids',
  'lon',
  'lat',
  'accuracy',
  'battery',
  'turn',
  'superseded',
  'feed_id',
  'batch_id',
  'received_time',
  'version',
] as const

/** An event as fields of its line. */
const eventContent = ({ state, types, tripIds, lon, lat, accuracy, battery }: VehicleEvent): string =>
  `${state}\t${listText(types)}\t${listText(tripIds)}\t${numberText(lon)}\t${numberText(lat)}\t${numberText(accuracy)}\t${numberText(battery)}`

/** Which of two versions of an event counts, whatever came first. */
export const eventRank = (event: VehicleEvent): bigint =>
  rank(event.published, eventContent(event), String(event.time))

export interface BatchOrigin {
  regionId: string
  feedId: string
  batchId: string
  /** Ms since 1970. */
  received: number
}

/** Events as lines of tab-separated text. Operators are slugs, ids UUIDs: nothing needs an escape. */
export const eventLines = (
  events: readonly VehicleEvent[],
  { regionId, feedId, batchId, received }: BatchOrigin,
): Buffer => {
  const origin = `0\t${feedId}\t${batchId}\t${timeText(received)}`
  return encodeLines(events, (event) => {
    const content = eventContent(event)
    return `${regionId}\t${event.operator}\t${event.deviceId}\t${timeText(event.time)}\t${event.eventId}\t${content}\t${turnOf(event.types)}\t${origin}\t${rank(event.published, content, String(event.time))}\n`
  })
}

import { encodeLines, formatListField, formatNumberField, formatTimeField } from '#server/stores/row-text.ts'
import { computeRank } from './rank.ts'
import { getEventTurn } from './event-turn.ts'
import type { VehicleEvent } from './feed-records.ts'

/** Columns of `vehicle_events` in the order of `formatEventLines`. */
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

/** Formats the fields of a line that an operator can change in a later version. */
const getEventContent = ({ state, types, tripIds, lon, lat, accuracy, battery }: VehicleEvent): string =>
  `${state}\t${formatListField(types)}\t${formatListField(tripIds)}\t${formatNumberField(lon)}\t` +
  `${formatNumberField(lat)}\t${formatNumberField(accuracy)}\t${formatNumberField(battery)}`

/** Computes the rank of an event's version: the one with the highest rank counts, whichever arrived first. */
export const computeEventRank = (event: VehicleEvent): bigint =>
  computeRank(event.published, getEventContent(event), String(event.time))

/** The region, feed and batch that records came from. */
export interface BatchOrigin {
  regionId: string
  feedId: string
  batchId: string
  /** Milliseconds since 1970. */
  received: number
}

/** Formats events as lines of tab-separated text. Slugs of operators and UUIDs need no escaping. */
export const formatEventLines = (
  events: readonly VehicleEvent[],
  { regionId, feedId, batchId, received }: BatchOrigin,
): Buffer => {
  const origin = `0\t${feedId}\t${batchId}\t${formatTimeField(received)}`
  return encodeLines(events, (event) => {
    const content = getEventContent(event)
    return (
      `${regionId}\t${event.operator}\t${event.deviceId}\t${formatTimeField(event.time)}\t` +
      `${event.eventId}\t${content}\t${getEventTurn(event.types)}\t${origin}\t` +
      `${computeRank(event.published, content, String(event.time))}\n`
    )
  })
}

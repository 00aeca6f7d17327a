import { turnOf } from './turn-of.ts'
import type { VehicleEvent } from './vehicle-event.ts'

/** Columns of `vehicle_events` in the order of a line. */
export const eventLineColumns = [
  'region_id', 'operator', 'device_id', 'event_time', 'event_id', 'state', 'event_types', 'trip_ids', 'lon', 'lat', 'accuracy', 'battery', 'turn', 'superseded', 'feed_id', 'batch_id', 'received_time', 'version',
] as const

const number = (value: number): string => (Number.isNaN(value) ? 'nan' : String(value))
const time = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').slice(0, 23)
const list = (values: readonly string[]): string => `[${values.map((value) => `'${value}'`).join(',')}]`

/** FNV-1a, 32 bits: the same everywhere, and a microsecond. */
function fnv(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Bits of a rank that tell contents of the same publication time apart. */
const contentBits = 20n

/**
 * Which of two versions of an event counts, whatever came first: the one published later; where that is not told or the same, a
 * hash of the content decides, the same way every time.
 */
export function rankOf(event: VehicleEvent): bigint {
  const { state, types, tripIds, lon, lat, accuracy, battery, time: at } = event
  const content = fnv(`${at} ${state} ${types} ${tripIds} ${lon} ${lat} ${accuracy} ${battery}`)
  return (BigInt(Math.max(0, Math.trunc(event.published))) << contentBits) | (BigInt(content) & ((1n << contentBits) - 1n))
}

/** One event as a line of tab-separated text. Operators are slugs, ids UUIDs: nothing needs an escape. */
export const eventLine = (event: VehicleEvent, regionId: string, { feedId, batchId, received }: { feedId: string; batchId: string; received: number }): string =>
  `${regionId}\t${event.operator}\t${event.deviceId}\t${time(event.time)}\t${event.eventId}\t${event.state}\t${list(event.types)}\t${list(event.tripIds)}\t${number(event.lon)}\t${number(event.lat)}\t${number(event.accuracy)}\t${number(event.battery)}\t${turnOf(event.types)}\t0\t${feedId}\t${batchId}\t${time(received)}\t${rankOf(event)}\n`

import { escapeField, encodeLines, formatNumberField, formatTimeField } from '#server/stores/row-text.ts'
import { type CurbEvent, getEventLane } from './curb-event.ts'

export const eventColumns = [
  'region_id',
  'lane',
  'event_time',
  'event_id',
  'event_type',
  'publication_time',
  'received_time',
  'feed_id',
  'zone_id',
  'area_ids',
  'space_id',
  'object_id',
  'source_type',
  'source_kind',
  'device_id',
  'operator_name',
  'session_key',
  'vehicle',
  'vehicle_type',
  'vehicle_length',
  'propulsion',
  'purpose',
  'lon',
  'lat',
  'amount',
  'channel',
  'method',
  'blocked_lanes',
  'violations',
  'enforcement_id',
  'occupants',
  'is_online',
  'is_commissioned',
  'superseded',
  'batch_id',
  'version',
] as const

/** Returns a list of texts as an array field of a tab-separated row. */
export const toTextListField = (values: readonly string[]): string =>
  values.length
    ? escapeField(`[${values.map((value) => `'${value.replace(/[\\']/g, '\\$&')}'`).join(',')}]`)
    : '[]'
/** Returns a number as a field of a tab-separated row; `\N` for null. */
export const toNumberField = (value: number | null): string => (value === null ? '\\N' : String(value))
const toFlagField = (value: boolean | null): string => toNumberField(value === null ? null : Number(value))

/** The low bits of a version, which distinguish contents that were published at the same time. */
const contentBits = 22n

/** Returns the 32-bit FNV-1a hash of a text. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** Returns the version of a row; of events with the same id, the one published last has the highest. */
const computeVersion = (publicationTime: number, content: string): bigint =>
  (BigInt(publicationTime) << contentBits) | BigInt(hashText(content) & ((1 << Number(contentBits)) - 1))

interface Batch {
  regionId: string
  feedId: string
  batchId: string
  /** Milliseconds since 1970. */
  received: number
}

/** Returns events as rows of `curb_events`. */
export function toEventLines(events: readonly CurbEvent[], batch: Batch): Buffer {
  const region = escapeField(batch.regionId)
  return encodeLines(events, (event) => {
    const head = [
      region,
      escapeField(getEventLane(event)),
      formatTimeField(event.time),
      escapeField(event.eventId),
      event.type,
      formatTimeField(event.publicationTime),
    ].join('\t')
    const content = [
      escapeField(event.zoneId),
      toTextListField(event.areaIds),
      escapeField(event.spaceId),
      escapeField(event.objectId),
      event.sourceType,
      event.sourceKind,
      escapeField(event.deviceId),
      escapeField(event.operatorName),
      escapeField(event.sessionKey),
      event.vehicle,
      event.vehicleType,
      toNumberField(event.vehicleLength),
      toTextListField(event.propulsion),
      escapeField(event.purpose),
      formatNumberField(event.lon),
      formatNumberField(event.lat),
      toNumberField(event.amount),
      event.channel,
      escapeField(event.method),
      toTextListField(event.blockedLanes),
      toTextListField(event.violations),
      escapeField(event.enforcementId),
      toNumberField(event.occupants),
      toFlagField(event.isOnline),
      toFlagField(event.isCommissioned),
    ].join('\t')
    const version = computeVersion(event.publicationTime, `${head}\t${content}`)
    return `${[head, formatTimeField(batch.received), batch.feedId, content, 0, batch.batchId, version].join('\t')}\n`
  })
}

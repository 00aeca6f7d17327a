import {
  cdsEventTypes,
  cdsLaneTypes,
  cdsPaymentChannels,
  cdsSourceTypes,
  cdsVehicleTypes,
  type SourceKind,
  sourceKindByType,
} from '#contract/cds-events.ts'
import { dayMs } from '#contract/period.ts'
import type { CurbEvent } from './curb-event.ts'

/** A problem of a field of an event. If `isFatal`, the event is set aside; otherwise the field is left out. */
export interface EventProblem {
  field: string
  reason: string
  isFatal: boolean
  isMissing?: boolean
}

/** An event as read; null with the problems if one of them is fatal. */
export interface ReadEvent {
  event: CurbEvent | null
  problems: EventProblem[]
  /** How far the time of the event is after its receipt, ms; 0 unless the clock of the source is ahead. */
  aheadMs: number
}

type Item = Readonly<Record<string, unknown>>
const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** 2018-01-01, as for MDS. Earlier times are probably in seconds, or not times at all. */
const earliestMs = 1_514_764_800_000
/** A difference between the clocks up to this is not reported. */
const maxAheadMs = 60_000
/** Events farther in the future are rejected. */
const maxFutureMs = 366 * dayMs
/** Characters of a text. */
const maxText = 500
/** Texts of a list. */
const maxList = 100
/** Characters of an event in a finding. */
const maxEventText = 2000

/** Normalizes an id for comparison: UUIDs are converted to lower case. */
export const normalizeId = (text: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : text

/** Reads fields of an event, collects problems. Missing or invalid ones become '', NaN, null or empty. */
class EventFields {
  readonly problems: EventProblem[] = []
  readonly item: Item
  constructor(item: Item) {
    this.item = item
  }

  addProblem(field: string, reason: string, isFatal = false): void {
    this.problems.push({ field, reason, isFatal })
  }

  #readValue(key: string, isRequired: boolean): unknown {
    const value = this.item[key]
    if (value !== undefined && value !== null && value !== '') return value
    if (isRequired) this.problems.push({ field: key, reason: 'is missing', isFatal: true, isMissing: true })
    return undefined
  }

  readText(key: string, isRequired = false): string {
    const value = this.#readValue(key, isRequired)
    if (value === undefined) return ''
    // Some sources send ids as numbers.
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text.length <= maxText && !/\p{Cc}/u.test(text)) return text.trim()
    this.addProblem(key, `must be a text of at most ${maxText} characters`, isRequired)
    return ''
  }

  /** Returns an id, normalized. */
  readId(key: string, isRequired = false): string {
    return normalizeId(this.readText(key, isRequired))
  }

  /** Reads one of some words, ignoring case, with spaces for underscores. */
  readWord<Word extends string>(key: string, words: readonly Word[], isRequired = false): Word | '' {
    const text = this.readText(key, isRequired)
    if (!text) return ''
    const word = text.toLowerCase().replaceAll(' ', '_')
    const knownWord = words.find((candidate) => candidate === word)
    if (knownWord) return knownWord
    this.addProblem(key, `must be one of ${words.join(', ')}`, isRequired)
    return ''
  }

  /** Reads a time in ms since 1970 that is not after `latest`. */
  readTime(key: string, latest: number): number {
    const value = this.#readValue(key, true)
    if (value === undefined) return NaN
    const ms = typeof value === 'string' && /^\d{10,16}$/.test(value) ? Number(value) : value
    if (typeof ms === 'number' && Number.isInteger(ms)) {
      if (ms >= earliestMs && ms <= latest) return ms
      const isSeconds = ms * 1000 >= earliestMs && ms * 1000 <= latest
      this.addProblem(
        key,
        isSeconds
          ? 'must be in milliseconds; this looks like seconds'
          : 'lies before 2018 or more than a year ahead',
        true,
      )
    } else this.addProblem(key, 'must be a whole number of milliseconds since 1970', true)
    return NaN
  }

  readCount(key: string, max: number): number | null {
    const value = this.#readValue(key, false)
    if (value === undefined) return null
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= max)
      return Math.round(value)
    this.addProblem(key, `must be a number from 0 to ${max}`)
    return null
  }

  readFlag(key: string): boolean | null {
    const value = this.#readValue(key, false)
    if (value === undefined) return null
    if (typeof value === 'boolean') return value
    this.addProblem(key, 'must be true or false')
    return null
  }

  readTexts(key: string): string[] {
    const value = this.#readValue(key, false)
    if (value === undefined) return []
    if (
      Array.isArray(value) &&
      value.length <= maxList &&
      value.every((item) => typeof item === 'string' && item.length <= maxText && !/\p{Cc}/u.test(item))
    )
      return [...new Set(value as string[])]
    this.addProblem(key, `must be a list of at most ${maxList} texts`)
    return []
  }

  /** Returns longitude and latitude of the event; NaN if unknown. */
  readPoint(isRequired: boolean): [number, number] {
    const value = this.#readValue('event_location', isRequired)
    if (value === undefined) return [NaN, NaN]
    const geometry = isItem(value) && isItem(value['geometry']) ? value['geometry'] : value
    const coordinates = isItem(geometry) ? geometry['coordinates'] : undefined
    // The example of the standard wraps the coordinates in a second list.
    const list: unknown[] = Array.isArray(coordinates) ? coordinates : []
    const [lon, lat] = Array.isArray(list[0]) ? list[0] : list
    if (typeof lon === 'number' && typeof lat === 'number' && Math.abs(lon) <= 180 && Math.abs(lat) <= 90)
      return [lon, lat]
    this.addProblem('event_location', 'must be a GeoJSON point', false)
    return [NaN, NaN]
  }
}

/** Reads the amount paid in minor units, which CDS requires to be whole. */
function readAmount(fields: EventFields): number | null {
  const value = fields.item['actual_cost']
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 1e12) {
    if (!Number.isInteger(value))
      fields.addProblem('actual_cost', 'must be in the smallest unit of the currency')
    return Math.round(value)
  }
  fields.addProblem('actual_cost', 'must be a whole number')
  return null
}

/** Reads the names or codes of violations, and the id of their enforcement. */
function readViolations(fields: EventFields): { violations: string[]; enforcementId: string } {
  const enforcement = fields.item['enforcement']
  if (!isItem(enforcement)) return { violations: [], enforcementId: '' }
  const list = Array.isArray(enforcement['violations']) ? enforcement['violations'] : []
  const id = enforcement['enforcement_id']
  return {
    violations: list
      .slice(0, maxList)
      .filter(isItem)
      .map((violation) => violation['violation_code'] ?? violation['violation_name'])
      .filter((name): name is string => typeof name === 'string' && name.length <= maxText),
    enforcementId: typeof id === 'string' && id.length <= maxText ? id : '',
  }
}

/** Reads what identifies the vehicle: its plate, or else its id or permit. It must be hashed when stored. */
function readVehicle(fields: EventFields): string {
  const plate = fields
    .readText('vehicle_license_plate')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  if (plate) return `plate ${plate} ${fields.readText('vehicle_license_plate_jurisdiction').toUpperCase()}`
  const id = fields.readText('vehicle_id')
  if (id) return `vehicle ${id}`
  const permit = fields.readText('vehicle_permit_number')
  return permit && `permit ${permit}`
}

/** Fields that identify a vehicle or a person. Findings do not show them. */
const personalFields = ['vehicle_license_plate', 'vehicle_id', 'vehicle_permit_number']

/** Returns the text of an event in a finding, without personal data. */
export const formatEvent = (item: unknown): string =>
  JSON.stringify(item, (key, value: unknown) =>
    personalFields.includes(key) && value !== undefined ? '(left out)' : value,
  )?.slice(0, maxEventText) ?? ''

/**
 * Reads one event of CDS 1.0 or 1.1. If a required field is missing or invalid, the event is null. An invalid
 * optional field is left out. Both are reported as problems.
 * @param received when the event arrived, ms since 1970
 * @param sourceKind the kind of the feed; by default, it follows from the type of the data source
 */
export function readCdsEvent(
  item: unknown,
  { received, sourceKind }: { received: number; sourceKind?: SourceKind | undefined },
): ReadEvent {
  if (!isItem(item))
    return { event: null, problems: [{ field: '', reason: 'is no object', isFatal: true }], aheadMs: 0 }
  const fields = new EventFields(item)
  const type = fields.readWord('event_type', cdsEventTypes, true)
  const sourceType = fields.readWord('data_source_type', cdsSourceTypes, true)
  const time = fields.readTime('event_time', received + maxFutureMs)
  const [lon, lat] = fields.readPoint(false)
  const occupants = item['curb_occupants']
  const event: CurbEvent = {
    eventId: fields.readId('event_id', true),
    type: type || 'scheduled_report',
    time,
    publicationTime: fields.readTime('event_publication_time', received + maxFutureMs),
    zoneId: fields.readId('curb_zone_id'),
    areaIds: fields.readTexts('curb_area_ids').map(normalizeId),
    spaceId: fields.readId('curb_space_id'),
    objectId: fields.readId('curb_object_id'),
    sourceType: sourceType || 'other',
    sourceKind: sourceKind ?? sourceKindByType[sourceType || 'other'],
    deviceId: fields.readId('data_source_device_id', true),
    operatorName: fields.readText('data_source_operator_name') || fields.readText('data_source_operator_id'),
    sessionKey: fields.readId('event_session_id'),
    vehicle: readVehicle(fields),
    vehicleType: fields.readWord('vehicle_type', cdsVehicleTypes),
    vehicleLength: fields.readCount('vehicle_length', 10_000),
    propulsion: fields.readTexts('vehicle_propulsion_types'),
    purpose: fields.readText('event_purpose'),
    lon,
    lat,
    amount: readAmount(fields),
    channel: fields.readWord('payment_channel', cdsPaymentChannels),
    method: fields.readText('payment_method'),
    blockedLanes: fields.readTexts('vehicle_blocked_lane_types').filter((lane) => {
      if ((cdsLaneTypes as readonly string[]).includes(lane)) return true
      fields.addProblem('vehicle_blocked_lane_types', `has no lane type ${lane.slice(0, 50)}`)
      return false
    }),
    ...readViolations(fields),
    occupants: Array.isArray(occupants) ? Math.min(occupants.length, 65_535) : null,
    isOnline: fields.readFlag('sensor_status_is_online'),
    isCommissioned: fields.readFlag('sensor_status_is_commissioned'),
  }
  const isRejected = fields.problems.some(({ isFatal }) => isFatal)
  const ahead = time - received
  return {
    event: isRejected ? null : event,
    problems: fields.problems,
    aheadMs: ahead > maxAheadMs ? ahead : 0,
  }
}

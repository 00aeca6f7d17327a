import { hash } from 'node:crypto'
import type { TripColumn, TripMapping } from '#contract/imports.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { toQualityBits } from '#contract/mobility.ts'
import { computeQuality } from '#server/fleet/trip-quality.ts'
import { readDistance, readDuration, readNumber } from '#server/table-files/read-quantity.ts'
import {
  type DateOrder,
  readClock,
  readDate,
  readDateTime,
  type ParsedTime,
} from '#server/table-files/read-time.ts'
import type { RejectedRow, TripRow } from './trip-row.ts'
import type { StationPlace } from '../stations/station-places.ts'
import { findVehicleType } from '#server/fleet/read-vehicle-type.ts'

/** How the rows of a file are read. */
export interface TripReaderOptions {
  header: readonly string[]
  mapping: TripMapping
  /** Returns whether dates of a column are day-first, month-first or year-first. */
  getDateOrder: (column: string) => DateOrder
  regionId: string
  clock: CivilClock
  center: { lon: number; lat: number }
  /** Finds the location of a station, for a start or end without coordinates. */
  findStation?: (station: string) => StationPlace
}

const minStartMs = Date.UTC(1990, 0, 1)
/** The fact store cannot store earlier times. */
const minStorableMs = Date.UTC(1900, 0, 2)
/** The exclusive limit of starts and ends. */
const timeLimitMs = Date.UTC(2100, 0, 1)
const daySeconds = 24 * 3600
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Creates an id from a text. The same text always results in the same id. */
function createId(text: string): string {
  const hex = hash('md5', text)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const unknownTypeBit = toQualityBits(['unknown_vehicle_type'])
const maxDetailLength = 300

const reject = (reason: RejectedRow['reason'], detail: string): RejectedRow => ({
  reason,
  detail: detail.slice(0, maxDetailLength),
})

/** The columns of the start or the end of trips, by index; -1 if the file does not have them. */
interface EndpointColumns {
  lon: number
  lat: number
  station: number
  dateTime: number
  date: number
  timeOfDay: number
  dateOrder: DateOrder
}

/** Finds the columns of a mapping in the header of the file. */
function locateColumns({ header, mapping, getDateOrder }: TripReaderOptions) {
  const { columns } = mapping
  const findColumnIndex = (column: TripColumn): number => {
    const name = columns[column]
    return name === undefined ? -1 : header.indexOf(name)
  }
  const locateEndpoint = (endpoint: 'start' | 'end'): EndpointColumns => {
    const lon = findColumnIndex(`${endpoint}_lon`)
    const lat = findColumnIndex(`${endpoint}_lat`)
    const hasCoordinates = lon >= 0 && lat >= 0
    return {
      lon,
      lat,
      station: hasCoordinates ? -1 : findColumnIndex(`${endpoint}_station`),
      dateTime: findColumnIndex(`${endpoint}_time`),
      date: findColumnIndex(`${endpoint}_date`),
      timeOfDay: findColumnIndex(`${endpoint}_clock`),
      dateOrder: getDateOrder(columns[`${endpoint}_time`] ?? columns[`${endpoint}_date`] ?? ''),
    }
  }
  return {
    start: locateEndpoint('start'),
    end: locateEndpoint('end'),
    id: findColumnIndex('trip_id'),
    operator: findColumnIndex('operator'),
    type: findColumnIndex('vehicle_type'),
    vehicle: findColumnIndex('vehicle_id'),
    distance: findColumnIndex('distance'),
    duration: findColumnIndex('duration'),
  }
}

const getField = (fields: readonly string[], index: number): string =>
  index < 0 ? '' : (fields[index] ?? '').trim()

/** Reads the time of a start or end; null if it is empty. `invalid`: the text that cannot be read. */
function readTime(
  fields: readonly string[],
  { dateTime, date, timeOfDay, dateOrder }: EndpointColumns,
): ParsedTime | { invalid: string } | null {
  if (dateTime >= 0) {
    const text = getField(fields, dateTime)
    return text === '' ? null : (readDateTime(text, dateOrder) ?? { invalid: text })
  }
  const dateText = getField(fields, date)
  const timeText = getField(fields, timeOfDay)
  if (dateText === '' && timeText === '') return null
  const day = readDate(dateText, dateOrder)
  const seconds = readClock(timeText)
  return day === null || seconds === null ? { invalid: `${dateText} ${timeText}`.trim() } : { day, seconds }
}

/** When a trip took place. */
interface TripTimes {
  startMs: number
  /** NaN if the file has none. */
  endMs: number
  /** The local day and hour of the start. */
  day: number
  hour: number
  /** Whether the clock skipped the start or the end, so that it is an hour off. */
  isSkipped: boolean
}

/** Creates a function that turns a row into a trip with quality flags, or a rejection with a reason. */
export function createTripReader(
  options: TripReaderOptions,
): (fields: readonly string[]) => TripRow | RejectedRow {
  const reader = new TripReader(options)
  return (fields) => reader.read(fields)
}

class TripReader {
  readonly #options: TripReaderOptions
  readonly #columns: ReturnType<typeof locateColumns>
  /** Cached vehicle types by the word in the file; null if it is unknown. */
  readonly #vehicleTypes = new Map<string, string | null>()
  /** Cached slugs of operators by the name in the file; null if it is invalid. */
  readonly #operators = new Map<string, string | null>()

  constructor(options: TripReaderOptions) {
    this.#options = options
    this.#columns = locateColumns(options)
  }

  read(fields: readonly string[]): TripRow | RejectedRow {
    const columns = this.#columns
    if (fields.every((field) => field.trim() === '')) return reject('empty_row', '')
    const { header, center } = this.#options
    if (
      fields.length !== header.length &&
      (fields.length < header.length || fields.slice(header.length).some((extra) => extra.trim() !== ''))
    )
      return reject('column_count', `${fields.length} fields where the header has ${header.length}`)
    const times = this.#readTimes(fields)
    if ('reason' in times) return times
    const operator = this.#findOperator(getField(fields, columns.operator))
    if (operator === null) return reject('bad_operator', getField(fields, columns.operator))
    const from = this.#readPlace(fields, columns.start)
    if ('reason' in from) return from
    const to = this.#readPlace(fields, columns.end)
    if ('reason' in to) return to
    const distanceM = this.#readDistance(fields)
    if (typeof distanceM !== 'number') return distanceM
    const durationS = this.#readDuration(fields, times)
    if (typeof durationS !== 'number') return durationS
    const type = this.#findVehicleType(getField(fields, columns.type))
    // The order of the fields must not change: the ids of trips without an id are derived from it.
    const trip: TripRow = {
      operator,
      vehicleType: type ?? 'other',
      vehicleId: getField(fields, columns.vehicle),
      startMs: times.startMs,
      endMs: times.endMs,
      day: times.day,
      hour: times.hour,
      startLon: from.lon,
      startLat: from.lat,
      endLon: to.lon,
      endLat: to.lat,
      distanceM,
      durationS,
      tripId: '',
      quality: 0,
    }
    trip.tripId = this.#getTripId(trip, getField(fields, columns.id))
    trip.quality = computeQuality(trip, center, times.isSkipped) | (type === null ? unknownTypeBit : 0)
    return trip
  }

  #readTimes(fields: readonly string[]): TripTimes | RejectedRow {
    const { clock } = this.#options
    const start = readTime(fields, this.#columns.start)
    if (start === null) return reject('no_start_time', '')
    if ('invalid' in start) return reject('bad_start_time', start.invalid)
    const end = readTime(fields, this.#columns.end)
    if (end && 'invalid' in end) return reject('bad_end_time', end.invalid)

    const civilStart = 'ms' in start ? null : clock.instant(start.day, start.seconds)
    const startMs = 'ms' in start ? start.ms : (civilStart?.ms ?? 0)
    if (startMs < minStartMs || startMs >= timeLimitMs)
      return reject('time_out_of_range', new Date(startMs).toISOString())
    let isSkipped = civilStart?.skipped ?? false
    let endMs = Number.NaN
    if (end !== null) {
      const civilEnd =
        'ms' in end ? { ms: end.ms, skipped: false, repeatedMs: null } : clock.instant(end.day, end.seconds)
      // In a repeated hour, if the first occurrence of the time precedes the start, the end is the second.
      endMs = civilEnd.ms < startMs && civilEnd.repeatedMs !== null ? civilEnd.repeatedMs : civilEnd.ms
      isSkipped ||= civilEnd.skipped
      // Any end before the start is flagged; it is rejected only if it cannot be stored.
      if (endMs < minStorableMs || endMs >= timeLimitMs)
        return reject('bad_end_time', new Date(endMs).toISOString())
    }
    if ('ms' in start || isSkipped) {
      const { day, hour } = clock.local(startMs)
      return { startMs, endMs, day, hour, isSkipped }
    }
    // The row contains the local day and hour. 24:00 belongs to the next day.
    const day = start.day + (start.seconds >= daySeconds ? 1 : 0)
    return { startMs, endMs, day, hour: Math.floor((start.seconds % daySeconds) / 3600), isSkipped }
  }

  /** Reads the location of a start or end, by its coordinates or its station. */
  #readPlace(
    fields: readonly string[],
    columns: EndpointColumns,
  ): { lon: number; lat: number } | RejectedRow {
    const lon = this.#readDegrees(fields, columns.lon, 180)
    if (typeof lon !== 'number') return lon
    const lat = this.#readDegrees(fields, columns.lat, 90)
    if (typeof lat !== 'number') return lat
    const text = getField(fields, columns.station)
    if (text === '') return { lon, lat }
    const place = this.#options.findStation?.(text) ?? 'unknown'
    return typeof place === 'object'
      ? place
      : reject(
          place === 'unknown' ? 'unknown_station' : 'ambiguous_station',
          `${this.#options.header[columns.station]}: ${text}`,
        )
  }

  /** Reads a coordinate of at most `maxDegrees` in either direction; NaN if its field is empty. */
  #readDegrees(fields: readonly string[], index: number, maxDegrees: number): number | RejectedRow {
    const text = getField(fields, index)
    if (text === '') return Number.NaN
    const degrees = readNumber(text)
    const { header } = this.#options
    if (Number.isNaN(degrees)) return reject('bad_coordinate', `${header[index]}: ${text}`)
    return Math.abs(degrees) > maxDegrees ? reject('outside_earth', `${header[index]}: ${text}`) : degrees
  }

  /** Returns meters; NaN if the field is empty. */
  #readDistance(fields: readonly string[]): number | RejectedRow {
    const text = getField(fields, this.#columns.distance)
    if (text === '') return Number.NaN
    const meters = readDistance(text, this.#options.mapping.distance_unit)
    return Number.isNaN(meters) ? reject('bad_distance', text) : meters
  }

  /** Returns seconds, by default those from start to end. */
  #readDuration(fields: readonly string[], { startMs, endMs }: TripTimes): number | RejectedRow {
    const text = getField(fields, this.#columns.duration)
    if (text === '') return (endMs - startMs) / 1000
    const seconds = readDuration(text, this.#options.mapping.duration_unit)
    return Number.isNaN(seconds) ? reject('bad_duration', text) : seconds
  }

  #findVehicleType(word: string): string | null {
    let type = this.#vehicleTypes.get(word)
    if (type === undefined) {
      type = word === '' ? (this.#options.mapping.vehicle_type ?? 'other') : findVehicleType(word)
      this.#vehicleTypes.set(word, type)
    }
    return type
  }

  #findOperator(word: string): string | null {
    let operator = this.#operators.get(word)
    if (operator === undefined) {
      operator = word === '' ? (this.#options.mapping.operator ?? 'unknown') : toSlug(word) || null
      this.#operators.set(word, operator)
    }
    return operator
  }

  /**
   * Returns the id of a trip: the id in the row if it is a UUID, else one derived from it, or from the whole
   * trip if the row has no id. The derivation must never change, because stored trips are identified by it.
   */
  #getTripId(trip: TripRow, rowId: string): string {
    const { regionId } = this.#options
    if (rowId === '')
      return createId(JSON.stringify([regionId, { ...trip, tripId: undefined, quality: undefined }]))
    return rowId.length === 36 && uuidPattern.test(rowId)
      ? rowId.toLowerCase()
      : createId(`${regionId}|${trip.operator}|${rowId}`)
  }
}

const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)

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
  /** Finds the order of dates of a column. */
  orderOf: (column: string) => DateOrder
  regionId: string
  clock: CivilClock
  center: { lon: number; lat: number }
  /** Finds the location of a station, for a start or end without coordinates. */
  findStation?: (station: string) => StationPlace
}

const earliest = Date.UTC(1990, 0, 1)
/** The fact store cannot store earlier times. */
const firstStorable = Date.UTC(1900, 0, 2)
const latest = Date.UTC(2100, 0, 1)
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Creates an id from a text. The same text always results in the same id. */
function createId(text: string): string {
  const hex = hash('md5', text)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const unknownType = toQualityBits(['unknown_vehicle_type'])

const reject = (reason: RejectedRow['reason'], detail: string): RejectedRow => ({
  reason,
  detail: detail.slice(0, 300),
})

/**
 * Creates a function that reads the rows of a file. A row becomes a trip with quality flags, or is rejected
 * with a reason.
 */
export function createTripReader({
  header,
  mapping,
  orderOf,
  regionId,
  clock,
  center,
  findStation = () => 'unknown',
}: TripReaderOptions): (fields: readonly string[]) => TripRow | RejectedRow {
  /** The index of a column in the file; -1 if it is not mapped. */
  const indexOf = (column: TripColumn): number => {
    const name = mapping.columns[column]
    return name === undefined ? -1 : header.indexOf(name)
  }
  const indices = {
    id: indexOf('trip_id'),
    operator: indexOf('operator'),
    type: indexOf('vehicle_type'),
    vehicle: indexOf('vehicle_id'),
    startLon: indexOf('start_lon'),
    startLat: indexOf('start_lat'),
    endLon: indexOf('end_lon'),
    endLat: indexOf('end_lat'),
    distance: indexOf('distance'),
    duration: indexOf('duration'),
  }
  const { columns } = mapping
  const hasCoordinates = {
    start: indices.startLon >= 0 && indices.startLat >= 0,
    end: indices.endLon >= 0 && indices.endLat >= 0,
  }
  const stations = {
    start: hasCoordinates.start ? -1 : indexOf('start_station'),
    end: hasCoordinates.end ? -1 : indexOf('end_station'),
  }
  const ends = {
    start: { lon: indices.startLon, lat: indices.startLat, station: stations.start },
    end: { lon: indices.endLon, lat: indices.endLat, station: stations.end },
  }
  const times = {
    start: {
      dateTime: indexOf('start_time'),
      date: indexOf('start_date'),
      clock: indexOf('start_clock'),
      order: orderOf(columns.start_time ?? columns.start_date ?? ''),
    },
    end: {
      dateTime: indexOf('end_time'),
      date: indexOf('end_date'),
      clock: indexOf('end_clock'),
      order: orderOf(columns.end_time ?? columns.end_date ?? ''),
    },
  }
  const getField = (fields: readonly string[], index: number): string =>
    index < 0 ? '' : (fields[index] ?? '').trim()

  /** A coordinate of indexOf most `limit` degrees; NaN if its field is empty. */
  const readDegrees = (fields: readonly string[], index: number, limit: number): number | RejectedRow => {
    const text = getField(fields, index)
    if (text === '') return Number.NaN
    const degrees = readNumber(text)
    if (Number.isNaN(degrees)) return reject('bad_coordinate', `${header[index]}: ${text}`)
    return Math.abs(degrees) > limit ? reject('outside_earth', `${header[index]}: ${text}`) : degrees
  }
  /** The location of a start or end, by its coordinates or its station. */
  const readPlace = (
    fields: readonly string[],
    { lon: lonIndex, lat: latIndex, station }: typeof ends.start,
  ): { lon: number; lat: number } | RejectedRow => {
    const lon = readDegrees(fields, lonIndex, 180)
    if (typeof lon !== 'number') return lon
    const lat = readDegrees(fields, latIndex, 90)
    if (typeof lat !== 'number') return lat
    const text = getField(fields, station)
    if (text === '') return { lon, lat }
    const place = findStation(text)
    return typeof place === 'object'
      ? place
      : reject(place === 'unknown' ? 'unknown_station' : 'ambiguous_station', `${header[station]}: ${text}`)
  }
  /**
   * The id of a trip: the id in the row if it is a UUID, else one derived from it, or from the whole trip if
   * the row has no id. The derivation must never change, because stored trips are identified by it.
   */
  const getTripId = (trip: TripRow, rowId: string): string => {
    if (rowId === '')
      return createId(JSON.stringify([regionId, { ...trip, tripId: undefined, quality: undefined }]))
    return rowId.length === 36 && uuid.test(rowId)
      ? rowId.toLowerCase()
      : createId(`${regionId}|${trip.operator}|${rowId}`)
  }

  /** Reads a time. Returns null if it is empty, and its text if it is invalid. */
  const readTime = (
    fields: readonly string[],
    { dateTime, date, clock: time, order }: typeof times.start,
  ): ParsedTime | null | string => {
    if (dateTime >= 0) {
      const text = getField(fields, dateTime)
      return text === '' ? null : (readDateTime(text, order) ?? text)
    }
    const [dateText, clockText] = [getField(fields, date), getField(fields, time)]
    if (dateText === '' && clockText === '') return null
    const day = readDate(dateText, order)
    const seconds = readClock(clockText)
    return day === null || seconds === null ? `${dateText} ${clockText}`.trim() : { day, seconds }
  }
  const vehicleTypes = new Map<string, string | null>()
  /** The vehicle type of a word, cached; null if the word is unknown. */
  const vehicleTypeFor = (word: string): string | null => {
    let type = vehicleTypes.get(word)
    if (type === undefined)
      vehicleTypes.set(word, (type = word === '' ? (mapping.vehicle_type ?? 'other') : findVehicleType(word)))
    return type
  }
  const operators = new Map<string, string | null>()
  /** The slug of an operator's name, cached; null if the name is invalid. */
  const findOperator = (word: string): string | null => {
    let operator = operators.get(word)
    if (operator === undefined) {
      const slug = word
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 60)
      operators.set(word, (operator = word === '' ? (mapping.operator ?? 'unknown') : slug || null))
    }
    return operator
  }

  return (fields) => {
    if (fields.every((field) => field.trim() === '')) return reject('empty_row', '')
    if (
      fields.length !== header.length &&
      (fields.length < header.length || fields.slice(header.length).some((extra) => extra.trim() !== ''))
    )
      return reject('column_count', `${fields.length} fields where the header has ${header.length}`)
    const start = readTime(fields, times.start)
    if (start === null) return reject('no_start_time', '')
    if (typeof start === 'string') return reject('bad_start_time', start)
    const end = readTime(fields, times.end)
    if (typeof end === 'string') return reject('bad_end_time', end)

    // Whether the clock skipped the start or the end, so that it is an hour off.
    let isSkipped = false
    const civilStart = 'ms' in start ? null : clock.instant(start.day, start.seconds)
    const startMs = 'ms' in start ? start.ms : (civilStart?.ms ?? 0)
    if (startMs < earliest || startMs >= latest)
      return reject('time_out_of_range', new Date(startMs).toISOString())
    isSkipped ||= civilStart?.skipped ?? false
    let endMs = Number.NaN
    if (end !== null) {
      const civilEnd =
        'ms' in end ? { ms: end.ms, skipped: false, second: null } : clock.instant(end.day, end.seconds)
      // If the clock repeats an hour, an end that seems to be before the start is in the repetition.
      endMs = civilEnd.ms < startMs && civilEnd.second !== null ? civilEnd.second : civilEnd.ms
      isSkipped ||= civilEnd.skipped
      // Any end before the start is flagged; it is rejected only if it cannot be stored.
      if (endMs < firstStorable || endMs >= latest)
        return reject('bad_end_time', new Date(endMs).toISOString())
    }

    const operator = findOperator(getField(fields, indices.operator))
    if (operator === null) return reject('bad_operator', getField(fields, indices.operator))
    const from = readPlace(fields, ends.start)
    if ('reason' in from) return from
    const to = readPlace(fields, ends.end)
    if ('reason' in to) return to
    const distanceText = getField(fields, indices.distance)
    const distanceM = distanceText === '' ? Number.NaN : readDistance(distanceText, mapping.distance_unit)
    if (distanceText !== '' && Number.isNaN(distanceM)) return reject('bad_distance', distanceText)
    const durationText = getField(fields, indices.duration)
    const reportedS = durationText === '' ? Number.NaN : readDuration(durationText, mapping.duration_unit)
    if (durationText !== '' && Number.isNaN(reportedS)) return reject('bad_duration', durationText)
    const durationS = Number.isNaN(reportedS) ? (endMs - startMs) / 1000 : reportedS

    const local =
      'ms' in start || isSkipped
        ? clock.local(startMs)
        : {
            day: start.day + (start.seconds >= 86_400 ? 1 : 0),
            hour: Math.floor((start.seconds % 86_400) / 3600),
          }
    const type = vehicleTypeFor(getField(fields, indices.type))
    const trip: TripRow = {
      operator,
      vehicleType: type ?? 'other',
      vehicleId: getField(fields, indices.vehicle),
      startMs,
      endMs,
      day: local.day,
      hour: local.hour,
      startLon: from.lon,
      startLat: from.lat,
      endLon: to.lon,
      endLat: to.lat,
      distanceM,
      durationS,
      tripId: '',
      quality: 0,
    }
    trip.tripId = getTripId(trip, getField(fields, indices.id))
    trip.quality = computeQuality(trip, center, isSkipped) | (type === null ? unknownType : 0)
    return trip
  }
}

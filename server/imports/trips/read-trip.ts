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
  type ReadTime,
} from '#server/table-files/read-time.ts'
import type { SetAside, TripRow } from './trip-row.ts'
import type { StationPlace } from '../stations/station-places.ts'
import { findVehicleType } from '#server/fleet/read-vehicle-type.ts'

/** The input of the reader besides the row. */
export interface ReadingOf {
  header: readonly string[]
  mapping: TripMapping
  /** The order of dates in a column of the file. */
  orderOf: (column: string) => DateOrder
  regionId: string
  clock: CivilClock
  center: { lon: number; lat: number }
  /** Places of stations, for a start or end without coordinates. */
  placeOf?: (station: string) => StationPlace
}

const earliest = Date.UTC(1990, 0, 1)
/** The store's times begin with 1900. */
const firstStorable = Date.UTC(1900, 0, 2)
const latest = Date.UTC(2100, 0, 1)
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** An id from any text: the same text, the same id. */
function idOf(text: string): string {
  const hex = hash('md5', text)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const unknownType = toQualityBits(['unknown_vehicle_type'])

const aside = (reason: SetAside['reason'], detail: string): SetAside => ({
  reason,
  detail: detail.slice(0, 300),
})

/** Creates a reader of rows of one file. A row becomes a trip with quality flags, or is rejected with its reason. */
export function tripReader({
  header,
  mapping,
  orderOf,
  regionId,
  clock,
  center,
  placeOf = () => 'unknown',
}: ReadingOf): (fields: readonly string[]) => TripRow | SetAside {
  const at = (column: TripColumn): number => {
    const name = mapping.columns[column]
    return name === undefined ? -1 : header.indexOf(name)
  }
  const places = {
    id: at('trip_id'),
    operator: at('operator'),
    type: at('vehicle_type'),
    vehicle: at('vehicle_id'),
    startLon: at('start_lon'),
    startLat: at('start_lat'),
    endLon: at('end_lon'),
    endLat: at('end_lat'),
    distance: at('distance'),
    duration: at('duration'),
  }
  const { columns } = mapping
  const hasPlace = {
    start: places.startLon >= 0 && places.startLat >= 0,
    end: places.endLon >= 0 && places.endLat >= 0,
  }
  const stations = {
    start: hasPlace.start ? -1 : at('start_station'),
    end: hasPlace.end ? -1 : at('end_station'),
  }
  const ends = {
    start: { lon: places.startLon, lat: places.startLat, station: stations.start },
    end: { lon: places.endLon, lat: places.endLat, station: stations.end },
  }
  const times = {
    start: {
      whole: at('start_time'),
      date: at('start_date'),
      clock: at('start_clock'),
      order: orderOf(columns.start_time ?? columns.start_date ?? ''),
    },
    end: {
      whole: at('end_time'),
      date: at('end_date'),
      clock: at('end_clock'),
      order: orderOf(columns.end_time ?? columns.end_date ?? ''),
    },
  }
  const fieldOf = (fields: readonly string[], place: number): string =>
    place < 0 ? '' : (fields[place] ?? '').trim()

  /** A coordinate of at most `limit` degrees; NaN if its field is empty. */
  const degreesIn = (fields: readonly string[], place: number, limit: number): number | SetAside => {
    const text = fieldOf(fields, place)
    if (text === '') return Number.NaN
    const degrees = readNumber(text)
    if (Number.isNaN(degrees)) return aside('bad_coordinate', `${header[place]}: ${text}`)
    return Math.abs(degrees) > limit ? aside('outside_earth', `${header[place]}: ${text}`) : degrees
  }
  /** The place of a start or end, by its coordinates or its station. */
  const placeIn = (
    fields: readonly string[],
    { lon: lonAt, lat: latAt, station }: typeof ends.start,
  ): { lon: number; lat: number } | SetAside => {
    const lon = degreesIn(fields, lonAt, 180)
    if (typeof lon !== 'number') return lon
    const lat = degreesIn(fields, latAt, 90)
    if (typeof lat !== 'number') return lat
    const text = fieldOf(fields, station)
    if (text === '') return { lon, lat }
    const found = placeOf(text)
    return typeof found === 'object'
      ? found
      : aside(found === 'unknown' ? 'unknown_station' : 'ambiguous_station', `${header[station]}: ${text}`)
  }
  /** The id of the trip in a row, else one from the whole row. */
  const tripIdOf = (trip: TripRow, named: string): string => {
    if (named === '')
      return idOf(JSON.stringify([regionId, { ...trip, tripId: undefined, quality: undefined }]))
    return named.length === 36 && uuid.test(named)
      ? named.toLowerCase()
      : idOf(`${regionId}|${trip.operator}|${named}`)
  }

  /** Null if empty; the text if invalid. */
  const timeOf = (
    fields: readonly string[],
    { whole, date, clock: time, order }: typeof times.start,
  ): ReadTime | null | string => {
    if (whole >= 0) {
      const text = fieldOf(fields, whole)
      return text === '' ? null : (readDateTime(text, order) ?? text)
    }
    const [dateText, clockText] = [fieldOf(fields, date), fieldOf(fields, time)]
    if (dateText === '' && clockText === '') return null
    const day = readDate(dateText, order)
    const seconds = readClock(clockText)
    return day === null || seconds === null ? `${dateText} ${clockText}`.trim() : { day, seconds }
  }
  const vehicleTypes = new Map<string, string | null>()
  /** Null for an unknown word. */
  const typeOf = (word: string): string | null => {
    let type = vehicleTypes.get(word)
    if (type === undefined)
      vehicleTypes.set(word, (type = word === '' ? (mapping.vehicle_type ?? 'other') : findVehicleType(word)))
    return type
  }
  const operators = new Map<string, string | null>()
  const operatorOf = (word: string): string | null => {
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
    if (fields.every((field) => field.trim() === '')) return aside('empty_row', '')
    if (
      fields.length !== header.length &&
      (fields.length < header.length || fields.slice(header.length).some((extra) => extra.trim() !== ''))
    )
      return aside('column_count', `${fields.length} fields where the header has ${header.length}`)
    const start = timeOf(fields, times.start)
    if (start === null) return aside('no_start_time', '')
    if (typeof start === 'string') return aside('bad_start_time', start)
    const end = timeOf(fields, times.end)
    if (typeof end === 'string') return aside('bad_end_time', end)

    let skipped = false
    const civilStart = 'ms' in start ? null : clock.instant(start.day, start.seconds)
    const startMs = 'ms' in start ? start.ms : (civilStart?.ms ?? 0)
    if (startMs < earliest || startMs >= latest)
      return aside('time_out_of_range', new Date(startMs).toISOString())
    skipped ||= civilStart?.skipped ?? false
    let endMs = Number.NaN
    if (end !== null) {
      const civilEnd =
        'ms' in end ? { ms: end.ms, skipped: false, second: null } : clock.instant(end.day, end.seconds)
      // In a repeated hour, an end before its start is in the second one.
      endMs = civilEnd.ms < startMs && civilEnd.second !== null ? civilEnd.second : civilEnd.ms
      skipped ||= civilEnd.skipped
      // An end before its start is flagged, however early; only what the store cannot hold is rejected.
      if (endMs < firstStorable || endMs >= latest)
        return aside('bad_end_time', new Date(endMs).toISOString())
    }

    const operator = operatorOf(fieldOf(fields, places.operator))
    if (operator === null) return aside('bad_operator', fieldOf(fields, places.operator))
    const from = placeIn(fields, ends.start)
    if ('reason' in from) return from
    const to = placeIn(fields, ends.end)
    if ('reason' in to) return to
    const distanceText = fieldOf(fields, places.distance)
    const distanceM = distanceText === '' ? Number.NaN : readDistance(distanceText, mapping.distance_unit)
    if (distanceText !== '' && Number.isNaN(distanceM)) return aside('bad_distance', distanceText)
    const durationText = fieldOf(fields, places.duration)
    const stated = durationText === '' ? Number.NaN : readDuration(durationText, mapping.duration_unit)
    if (durationText !== '' && Number.isNaN(stated)) return aside('bad_duration', durationText)
    const durationS = Number.isNaN(stated) ? (endMs - startMs) / 1000 : stated

    const local =
      'ms' in start || skipped
        ? clock.local(startMs)
        : {
            day: start.day + (start.seconds >= 86_400 ? 1 : 0),
            hour: Math.floor((start.seconds % 86_400) / 3600),
          }
    const type = typeOf(fieldOf(fields, places.type))
    const trip: TripRow = {
      operator,
      vehicleType: type ?? 'other',
      vehicleId: fieldOf(fields, places.vehicle),
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
    trip.tripId = tripIdOf(trip, fieldOf(fields, places.id))
    trip.quality = computeQuality(trip, center, skipped) | (type === null ? unknownType : 0)
    return trip
  }
}

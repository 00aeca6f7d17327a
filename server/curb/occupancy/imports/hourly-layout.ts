import { appendTo } from '#contract/group-by.ts'
import { minuteMs, hourMs } from '#contract/period.ts'
import { normalizeKey } from '../../imports/checks/values.ts'
import type { CountedSpaces } from './count-sink.ts'
import type { FileColumns } from './file-columns.ts'
import {
  FilePlaces,
  type Fields,
  type LayoutContext,
  type LayoutReader,
  readNumber,
  joinRow,
  RowTimes,
  SeenTimes,
  readText,
} from './layout-reader.ts'

/** Occupied time may exceed known time by this factor, because numbers in files are rounded. */
const roundingTolerance = 1.000_001

/** Reads files with a row per place and time step: sensor hours, paid load, paid minutes, counts. */
export function createHourlyReader(context: LayoutContext): LayoutReader {
  const { columns, sink } = context
  const places = new FilePlaces(columns)
  const times = new RowTimes(context)
  const stepMs = findStepMs(context, times, places)
  const seenTimes = new SeenTimes(stepMs)
  const readValues =
    columns.layout === 'sensor_hours'
      ? (fields: Fields) => readSeconds(fields, columns, stepMs)
      : createSpacesReader(context)
  return {
    add({ row, fields }) {
      const place = places.get(fields)
      if (!place) return sink.reject(row, 'missing_place', 'The row names no place.', joinRow(fields))
      const instants = times.read(fields)
      if (instants === null)
        return sink.reject(row, 'bad_time', 'The row has no readable time.', joinRow(fields))
      const [first] = instants
      if (first === undefined)
        return sink.reject(row, 'time_skipped', 'The local clock never showed this time.', joinRow(fields))
      if (sink.isInFuture(first)) return sink.reject(row, 'ahead', 'The time lies ahead.', joinRow(fields))
      const values = readValues(fields)
      if ('code' in values) return sink.reject(row, values.code, values.message, joinRow(fields))
      // If the clock showed a time twice, its second row belongs to the later instant.
      const start = instants.find((instant) => seenTimes.add(place.key, instant))
      if (start === undefined)
        return sink.reject(
          row,
          'duplicate',
          'An earlier row has the same place and time. Only the earlier row is counted.',
          joinRow(fields),
        )
      if (values.occupied > values.known * roundingTolerance)
        sink.warn(row, 'above_capacity', 'More is occupied than there are spaces.', joinRow(fields))
      sink.accept(place)
      sink.add(place, start, start + stepMs, values)
    },
  }
}

/** The spaces of a row, or why they cannot be determined. */
export type RowValues = CountedSpaces | { code: 'bad_value' | 'negative' | 'no_capacity'; message: string }

/** Reads a row with the seconds in which spaces were occupied, vacant or unknown in a time step. */
function readSeconds(fields: Fields, columns: FileColumns, stepMs: number): RowValues {
  const occupied = readNumber(fields, columns, 'occupied_seconds')
  const vacant = readNumber(fields, columns, 'vacant_seconds')
  const unknown = readNumber(fields, columns, 'unknown_seconds')
  const total = readNumber(fields, columns, 'total_seconds')
  if (occupied === null || (vacant === null && total === null))
    return { code: 'bad_value', message: 'The row has no occupied and vacant seconds.' }
  if (Math.min(occupied, vacant ?? 0, unknown ?? 0, total ?? 0) < 0)
    return { code: 'negative', message: 'A number of seconds is below 0.' }
  const known = occupied + (vacant ?? Math.max(0, (total ?? 0) - occupied - (unknown ?? 0)))
  const totalSeconds = Math.max(total ?? 0, known + (unknown ?? 0))
  if (totalSeconds === 0)
    return { code: 'no_capacity', message: 'The row has no time of spaces: capacity 0.' }
  const toSpaces = (seconds: number): number => (seconds * 1000) / stepMs
  return {
    occupied: toSpaces(occupied),
    known: toSpaces(known),
    unknown: toSpaces(totalSeconds - known),
    closed: 0,
    spaces: toSpaces(totalSeconds),
    isShare: false,
  }
}

/** How a file writes shares of occupied spaces. */
interface ShareFormat {
  arePercent: boolean
  /** The column of shares contains numbers of vehicles. */
  areCounts: boolean
}

/** Returns a function that reads a row with numbers or shares of spaces; shares may be percentages. */
export function createSpacesReader(context: LayoutContext): (fields: Fields) => RowValues {
  const { columns } = context
  const format = detectShareFormat(context)
  return (fields) => {
    const spaces = readNumber(fields, columns, 'spaces')
    const share = readShare(fields, columns, format)
    const count = share === null ? readCount(fields, columns, format, spaces) : null
    if (share === null && count === null)
      return { code: 'bad_value', message: 'The row has no number of occupied spaces.' }
    if ((share ?? count ?? 0) < 0 || (spaces ?? 0) < 0)
      return { code: 'negative', message: 'A number is below 0.' }
    if (spaces === 0 && (count ?? share) === 0) return { code: 'no_capacity', message: 'The capacity is 0.' }
    if (share !== null && !spaces)
      return { occupied: share, known: 1, unknown: 0, closed: 0, spaces: 0, isShare: true }
    // Shares without a capacity are multiplied by the capacity of the zone later; counts cannot be.
    if (count !== null && !spaces)
      return { code: 'no_capacity', message: 'The row has occupied spaces but no capacity above 0.' }
    return {
      occupied: count ?? (share ?? 0) * (spaces ?? 0),
      known: spaces ?? 0,
      unknown: 0,
      closed: 0,
      spaces: spaces ?? 0,
      isShare: false,
    }
  }
}

function readShare(
  fields: Fields,
  columns: FileColumns,
  { arePercent, areCounts }: ShareFormat,
): number | null {
  const column = findShareColumn(columns)
  if (columns.layout === 'paid_minutes') return null
  if (column === 'share' && (columns.columns.occupied || areCounts)) return null
  const value = readNumber(fields, columns, column)
  const hasPercentSign = readText(fields, columns, column).includes('%')
  return value !== null && (arePercent || hasPercentSign) ? value / 100 : value
}

function readCount(
  fields: Fields,
  columns: FileColumns,
  { areCounts }: ShareFormat,
  spaces: number | null,
): number | null {
  if (columns.layout === 'paid_minutes') return readNumber(fields, columns, 'paid_spaces')
  const occupied = readNumber(fields, columns, areCounts ? 'share' : 'occupied')
  if (occupied !== null) return occupied
  const vacant = readNumber(fields, columns, 'vacant')
  return vacant === null || spaces === null ? null : Math.max(0, spaces - vacant)
}

const findShareColumn = ({ layout }: FileColumns): 'paid_load' | 'share' =>
  layout === 'paid_load' ? 'paid_load' : 'share'

/**
 * Guesses from a sample whether shares are percentages or numbers of vehicles. They are numbers of vehicles if
 * the column is called occupancy and all are integers that suit the numbers of spaces.
 */
function detectShareFormat({ columns, sample }: LayoutContext): ShareFormat {
  const shares = sample.flatMap((fields) => readNumber(fields, columns, findShareColumn(columns)) ?? [])
  const ascending = shares.toSorted((a, b) => a - b)
  const computeQuantile = (level: number): number => ascending[Math.floor(ascending.length * level)] ?? 0
  return {
    // As shares of 1, a median above 3 or a 95th percentile above 15 would be implausible.
    arePercent: computeQuantile(0.5) > 3 || computeQuantile(0.95) > 15,
    areCounts:
      normalizeKey(columns.columns.share ?? '') === 'occupancy' &&
      columns.columns.spaces !== undefined &&
      shares.some((value) => value > 1) &&
      sample.every((fields) => !readText(fields, columns, 'share').includes('%')) &&
      sample.every(
        (fields) =>
          (readNumber(fields, columns, 'share') ?? 0) <= 2 * (readNumber(fields, columns, 'spaces') ?? 0),
      ) &&
      shares.every(Number.isInteger),
  }
}

/** Finds the duration of a row: the shortest interval of two rows of a place, a minute to an hour. */
function findStepMs(context: LayoutContext, times: RowTimes, places: FilePlaces): number {
  const { columns, sample } = context
  if (columns.layout === 'sensor_hours') return hourMs
  const instantsByPlace = new Map<string, number[]>()
  for (const fields of sample) {
    const [start] = times.read(fields) ?? []
    const place = places.get(fields)
    if (start === undefined || !place) continue
    appendTo(instantsByPlace, place.key, start)
  }
  let stepMs = columns.layout === 'paid_minutes' && sample.length < 3 ? minuteMs : hourMs
  for (const instants of instantsByPlace.values()) {
    instants.sort((a, b) => a - b)
    for (let index = 1; index < instants.length; index++) {
      const gap = instants[index]! - instants[index - 1]!
      if (gap >= minuteMs && gap < stepMs) stepMs = gap
    }
  }
  return stepMs
}

import { plainKey } from '../../imports/checks/values.ts'
import type { CountedSpaces } from './count-sink.ts'
import {
  FilePlaces,
  type Fields,
  type LayoutContext,
  type LayoutReader,
  readNumber,
  readHour,
  rowText,
  RowTimes,
  SeenTimes,
  readText,
} from './layout-reader.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
/** Occupied time may exceed known time by this factor because files contain rounded numbers. */
const rounding = 1.000_001

/** The spaces of a row, or why they cannot be determined. */
type RowValues = CountedSpaces | { code: 'bad_value' | 'negative' | 'no_capacity'; message: string }

/**
 * Reads files with a row per place and step of time (hour, minute or other): sensor hours, paid load, paid
 * minutes, counts.
 */
export function hourlyLayout(context: LayoutContext): LayoutReader {
  const { columns, sink, sample } = context
  const places = new FilePlaces(columns)
  const times = new RowTimes(context)
  const stepMs = findStepMs(context, times, places)
  const seen = new SeenTimes(stepMs)
  const [sharesArePercent, sharesAreCounts] = [detectPercent(), detectCounts()]
  return {
    add({ row, fields }) {
      const place = places.get(fields)
      if (!place) return sink.reject(row, 'missing_place', 'The row names no place.', rowText(fields))
      const instants = times.read(fields)
      if (instants === null)
        return sink.reject(row, 'bad_time', 'The row has no readable time.', rowText(fields))
      const [first] = instants
      if (first === undefined)
        return sink.reject(row, 'time_skipped', 'The local clock never showed this time.', rowText(fields))
      if (sink.isInFuture(first)) return sink.reject(row, 'ahead', 'The time lies ahead.', rowText(fields))
      const values = columns.layout === 'sensor_hours' ? readSeconds(fields) : readValues(fields)
      if ('code' in values) return sink.reject(row, values.code, values.message, rowText(fields))
      // If the clock showed a time twice, its second row belongs to the later instant.
      const start = instants.find((each) => seen.add(place.key, each))
      if (start === undefined)
        return sink.reject(
          row,
          'duplicate',
          'An earlier row has the same place and time; that one counts.',
          rowText(fields),
        )
      if (values.occupied > values.known * rounding)
        sink.warn(row, 'above_capacity', 'More is occupied than there are spaces.', rowText(fields))
      sink.accept(place)
      sink.add(place, start, start + stepMs, values)
    },
  }

  function readSeconds(fields: Fields): RowValues {
    const [occupied, vacant, unknown, total] = (
      ['occupied_seconds', 'vacant_seconds', 'unknown_seconds', 'total_seconds'] as const
    ).map((column) => readNumber(fields, columns, column)) as [number, number | null, number | null, number]
    if (occupied === null || (vacant === null && total === null))
      return { code: 'bad_value', message: 'The row has no occupied and vacant seconds.' }
    if (Math.min(occupied, vacant ?? 0, unknown ?? 0, total ?? 0) < 0)
      return { code: 'negative', message: 'A number of seconds is below 0.' }
    const known = occupied + (vacant ?? Math.max(0, total - occupied - (unknown ?? 0)))
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

  function readValues(fields: Fields): RowValues {
    const spaces = readNumber(fields, columns, 'spaces')
    const share = readShare(fields)
    const count = share === null ? readCount(fields, spaces) : null
    if (share === null && count === null)
      return { code: 'bad_value', message: 'The row has no number of occupied spaces: unknown, not vacant.' }
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

  function readShare(fields: Fields): number | null {
    const column = columns.layout === 'paid_load' ? 'paid_load' : 'share'
    if (
      columns.layout === 'paid_minutes' ||
      (column === 'share' && (columns.columns.occupied || sharesAreCounts))
    )
      return null
    const value = readNumber(fields, columns, column)
    const hasPercentSign = readText(fields, columns, column).includes('%')
    return value === null ? null : sharesArePercent || hasPercentSign ? value / 100 : value
  }

  function readCount(fields: Fields, spaces: number | null): number | null {
    if (columns.layout === 'paid_minutes') return readNumber(fields, columns, 'paid_spaces')
    const occupied = readNumber(fields, columns, sharesAreCounts ? 'share' : 'occupied')
    if (occupied !== null) return occupied
    const vacant = readNumber(fields, columns, 'vacant')
    return vacant === null || spaces === null ? null : Math.max(0, spaces - vacant)
  }

  /** Whether shares are percentages: shares above 3 are unusual, and rare ones above 15 impossible. */
  function detectPercent(): boolean {
    const values = sampleShares().toSorted((a, b) => a - b)
    const quantile = (part: number): number => values[Math.floor(values.length * part)] ?? 0
    return quantile(0.5) > 3 || quantile(0.95) > 15
  }

  /** Whether a column named occupancy contains numbers of vehicles instead of shares. */
  function detectCounts(): boolean {
    const values = sampleShares()
    const name = plainKey(columns.columns.share ?? '')
    return (
      name === 'occupancy' &&
      columns.columns.spaces !== undefined &&
      values.some((value) => value > 1) &&
      sample.every((fields) => !readText(fields, columns, 'share').includes('%')) &&
      sample.every(
        (fields) =>
          (readNumber(fields, columns, 'share') ?? 0) <= 2 * (readNumber(fields, columns, 'spaces') ?? 0),
      ) &&
      values.every(Number.isInteger)
    )
  }

  function sampleShares(): number[] {
    const column = columns.layout === 'paid_load' ? 'paid_load' : 'share'
    return sample.flatMap((fields) => readNumber(fields, columns, column) ?? [])
  }
}

/**
 * The duration that a row covers: the shortest interval between two rows of a place, from a minute to an
 * hour.
 */
function findStepMs(context: LayoutContext, times: RowTimes, places: FilePlaces): number {
  const { columns, sample } = context
  if (columns.layout === 'sensor_hours') return hourMs
  const instantsByPlace = new Map<string, number[]>()
  for (const fields of sample) {
    const [start] = times.read(fields) ?? []
    const place = places.get(fields)
    if (start === undefined || !place) continue
    const list = instantsByPlace.get(place.key)
    if (list) list.push(start)
    else instantsByPlace.set(place.key, [start])
  }
  let stepMs = columns.layout === 'paid_minutes' && sample.length < 3 ? minuteMs : hourMs
  for (const list of instantsByPlace.values()) {
    list.sort((a, b) => a - b)
    for (let index = 1; index < list.length; index++) {
      const gap = list[index]! - list[index - 1]!
      if (gap >= minuteMs && gap < stepMs) stepMs = gap
    }
  }
  return stepMs
}

/** First letters of the names of weekdays, from Monday. */
const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Reads averages by weekday and hour. They are stored in the week of a day that the user chooses. */
export function sensorWeekLayout(context: LayoutContext): LayoutReader {
  const { columns, sink, clock, options } = context
  const places = new FilePlaces(columns)
  const readWeekday = createWeekdayReader(context)
  const seen = new SeenTimes(hourMs)
  const chosenDay = Date.parse(options.date ?? '1970-01-01') / dayMs
  // 1970-01-01 was a Thursday, so day 0 is 3 days after a Monday.
  const monday = chosenDay - ((((chosenDay + 3) % 7) + 7) % 7)
  return {
    add({ row, fields }) {
      const place = places.get(fields)
      if (!place) return sink.reject(row, 'missing_place', 'The row names no place.', rowText(fields))
      const weekday = readWeekday(readText(fields, columns, 'weekday'))
      const seconds = readHour(readText(fields, columns, 'clock'))
      if (weekday === null || seconds === null)
        return sink.reject(row, 'bad_time', 'The row has no readable weekday and hour.', rowText(fields))
      const { ms: start } = clock.instant(monday + weekday, seconds)
      const isShare = columns.columns.occupied_part === undefined
      const getPart = (column: 'occupied_part' | 'vacant_part' | 'unknown_part'): number =>
        readNumber(fields, columns, column) ?? 0
      const occupied = isShare
        ? readNumber(fields, columns, 'share')
        : readNumber(fields, columns, 'occupied_part')
      const spaces = readNumber(fields, columns, 'spaces') ?? 0
      if (occupied === null)
        return sink.reject(
          row,
          'bad_value',
          'The row has no occupancy: unknown, not vacant.',
          rowText(fields),
        )
      if (Math.min(occupied, getPart('vacant_part'), getPart('unknown_part'), spaces) < 0)
        return sink.reject(row, 'negative', 'A number is below 0.', rowText(fields))
      if (spaces === 0 && columns.columns.spaces !== undefined)
        return sink.reject(row, 'no_capacity', 'The row has no spaces: capacity 0.', rowText(fields))
      if (!seen.add(place.key, start))
        return sink.reject(
          row,
          'duplicate',
          'An earlier row has the same place, weekday and hour; that one counts.',
          rowText(fields),
        )
      const known = isShare ? 1 : occupied + getPart('vacant_part')
      const capacity = spaces || 1
      sink.accept(place)
      sink.add(place, start, start + hourMs, {
        occupied: occupied * capacity,
        known: known * capacity,
        unknown: isShare ? 0 : getPart('unknown_part') * capacity,
        closed: 0,
        spaces,
        isShare: spaces === 0,
      })
    },
  }
}

/**
 * Returns a function that reads a weekday, Monday as 0; null if the text is none. Numbers may count from 0 or
 * 1, and from Monday or Sunday: from Sunday if the first day has clearly the fewest operated spaces in the
 * sample.
 */
function createWeekdayReader({ columns, sample }: LayoutContext): (text: string) => number | null {
  const findName = (text: string): number => dayNames.indexOf(text.trim().slice(0, 3).toLowerCase())
  const spotsByNumber = new Map<number, number>()
  for (const fields of sample) {
    const number = readNumber(fields, columns, 'weekday')
    if (number !== null)
      spotsByNumber.set(
        number,
        (spotsByNumber.get(number) ?? 0) + (readNumber(fields, columns, 'operated_spots') ?? 0),
      )
  }
  const start = spotsByNumber.has(0) ? 0 : 1
  const [fewest, next] = [...spotsByNumber]
    .map(([number, spots]) => ({ number, spots }))
    .toSorted((a, b) => a.spots - b.spots)
  const isSundayFirst =
    fewest !== undefined &&
    next !== undefined &&
    fewest.spots < next.spots * 0.8 &&
    fewest.number === start &&
    spotsByNumber.size > 5
  return (text) => {
    const day = findName(text)
    if (day >= 0) return day
    const number = /^\d+(\.0*)?$/.test(text) ? Number(text) - start : -1
    if (number < 0 || number > 6) return null
    return isSundayFirst ? (number + 6) % 7 : number
  }
}

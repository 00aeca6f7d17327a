import { plainKey } from '../../imports/checks/values.ts'
import type { Counted } from './count-sink.ts'
import {
  FilePlaces,
  type Fields,
  type LayoutContext,
  type LayoutReader,
  numberIn,
  readHour,
  rowText,
  RowTimes,
  SeenTimes,
  valueIn,
} from './layout-reader.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

/** What the columns of a row say about its spaces; a text says why they say nothing. */
type Values = Counted | { code: 'bad_value' | 'negative' | 'no_capacity'; message: string }

/** Files with one row per place and hour, minute or another step: sensor hours, paid load, paid minutes, counts. */
export function hourlyLayout(context: LayoutContext): LayoutReader {
  const { columns, sink, sample } = context
  const places = new FilePlaces(columns)
  const times = new RowTimes(context)
  const step = stepOf(context, times, places)
  const seen = new SeenTimes(step)
  const [percent, counts] = [isPercent(), hasCounts()]
  return {
    add({ row, fields }) {
      const place = places.of(fields)
      if (!place) return sink.refuse(row, 'missing_place', 'The row names no place.', rowText(fields))
      const instants = times.of(fields)
      if (instants === null)
        return sink.refuse(row, 'bad_time', 'The row has no readable time.', rowText(fields))
      const [first] = instants
      if (first === undefined)
        return sink.refuse(row, 'time_skipped', 'The local clock never showed this time.', rowText(fields))
      if (sink.isAhead(first)) return sink.refuse(row, 'ahead', 'The time lies ahead.', rowText(fields))
      const values = columns.layout === 'sensor_hours' ? secondsOf(fields) : valuesOf(fields)
      if ('code' in values) return sink.refuse(row, values.code, values.message, rowText(fields))
      // A time that the clock showed twice is the later one the second time.
      const at = instants.find((each) => seen.note(place.key, each))
      if (at === undefined)
        return sink.refuse(
          row,
          'duplicate',
          'An earlier row has the same place and time; that one counts.',
          rowText(fields),
        )
      if (values.occupied > values.known * 1.000_001)
        sink.note(row, 'above_capacity', 'More is occupied than there are spaces.', rowText(fields))
      sink.accept(place)
      sink.add(place, at, at + step, values)
    },
  }

  function secondsOf(fields: Fields): Values {
    const [occupied, vacant, unknown, total] = (
      ['occupied_seconds', 'vacant_seconds', 'unknown_seconds', 'total_seconds'] as const
    ).map((column) => numberIn(fields, columns, column)) as [number, number | null, number | null, number]
    if (occupied === null || (vacant === null && total === null))
      return { code: 'bad_value', message: 'The row has no occupied and vacant seconds.' }
    if (Math.min(occupied, vacant ?? 0, unknown ?? 0, total ?? 0) < 0)
      return { code: 'negative', message: 'A number of seconds is below 0.' }
    const known = occupied + (vacant ?? Math.max(0, total - occupied - (unknown ?? 0)))
    const whole = Math.max(total ?? 0, known + (unknown ?? 0))
    if (whole === 0) return { code: 'no_capacity', message: 'The row has no time of spaces: capacity 0.' }
    const spaces = (seconds: number): number => (seconds * 1000) / step
    return {
      occupied: spaces(occupied),
      known: spaces(known),
      unknown: spaces(whole - known),
      closed: 0,
      spaces: spaces(whole),
      isShare: false,
    }
  }

  function valuesOf(fields: Fields): Values {
    const spaces = numberIn(fields, columns, 'spaces')
    const share = shareOf(fields)
    const count = share === null ? countOf(fields, spaces) : null
    if (share === null && count === null)
      return { code: 'bad_value', message: 'The row has no number of occupied spaces: unknown, not vacant.' }
    if ((share ?? count ?? 0) < 0 || (spaces ?? 0) < 0)
      return { code: 'negative', message: 'A number is below 0.' }
    if (spaces === 0 && (count ?? share) === 0) return { code: 'no_capacity', message: 'The capacity is 0.' }
    if (share !== null && !spaces)
      return { occupied: share, known: 1, unknown: 0, closed: 0, spaces: 0, isShare: true }
    // Without a capacity in the file, the capacity of the zone is the known one.
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

  function shareOf(fields: Fields): number | null {
    const column = columns.layout === 'paid_load' ? 'paid_load' : 'share'
    if (columns.layout === 'paid_minutes' || (column === 'share' && (columns.columns.occupied || counts)))
      return null
    const value = numberIn(fields, columns, column)
    const isText = valueIn(fields, columns, column).includes('%')
    return value === null ? null : percent || isText ? value / 100 : value
  }

  function countOf(fields: Fields, spaces: number | null): number | null {
    if (columns.layout === 'paid_minutes') return numberIn(fields, columns, 'paid_spaces')
    const occupied = numberIn(fields, columns, counts ? 'share' : 'occupied')
    if (occupied !== null) return occupied
    const vacant = numberIn(fields, columns, 'vacant')
    return vacant === null || spaces === null ? null : Math.max(0, spaces - vacant)
  }

  /** Whether shares are percentages: values of 3 and more are no shares that are usual. */
  function isPercent(): boolean {
    const values = shares().toSorted((a, b) => a - b)
    const at = (part: number): number => values[Math.floor(values.length * part)] ?? 0
    return at(0.5) > 3 || at(0.95) > 15
  }

  /** Whether a column that is called occupancy has numbers of vehicles. */
  function hasCounts(): boolean {
    const values = shares()
    const name = plainKey(columns.columns.share ?? '')
    return (
      name === 'occupancy' &&
      columns.columns.spaces !== undefined &&
      values.some((value) => value > 1) &&
      sample.every((fields) => !valueIn(fields, columns, 'share').includes('%')) &&
      sample.every(
        (fields) =>
          (numberIn(fields, columns, 'share') ?? 0) <= 2 * (numberIn(fields, columns, 'spaces') ?? 0),
      ) &&
      values.every(Number.isInteger)
    )
  }

  function shares(): number[] {
    const column = columns.layout === 'paid_load' ? 'paid_load' : 'share'
    return sample.flatMap((fields) => numberIn(fields, columns, column) ?? [])
  }
}

/** Duration that a row covers: the shortest interval between two rows of a place, between a minute and an hour. */
function stepOf(context: LayoutContext, times: RowTimes, places: FilePlaces): number {
  const { columns, sample } = context
  if (columns.layout === 'sensor_hours') return hourMs
  const byPlace = new Map<string, number[]>()
  for (const fields of sample) {
    const [at] = times.of(fields) ?? []
    const place = places.of(fields)
    if (at === undefined || !place) continue
    const list = byPlace.get(place.key)
    if (list) list.push(at)
    else byPlace.set(place.key, [at])
  }
  let step = columns.layout === 'paid_minutes' && sample.length < 3 ? minuteMs : hourMs
  for (const list of byPlace.values()) {
    list.sort((a, b) => a - b)
    for (let index = 1; index < list.length; index++) {
      const gap = list[index]! - list[index - 1]!
      if (gap >= minuteMs && gap < step) step = gap
    }
  }
  return step
}

/** Weekdays by name or number; which day a number is, is known from the file as a whole. */
const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Averages by weekday and hour: they stand for the week of a day that the user names. */
export function sensorWeekLayout(context: LayoutContext): LayoutReader {
  const { columns, sink, clock, options } = context
  const places = new FilePlaces(columns)
  const weekdayOf = weekdayReader(context)
  const seen = new SeenTimes(hourMs)
  const chosen = Date.parse(options.date ?? '1970-01-01') / dayMs
  const monday = chosen - ((((chosen + 3) % 7) + 7) % 7)
  return {
    add({ row, fields }) {
      const place = places.of(fields)
      if (!place) return sink.refuse(row, 'missing_place', 'The row names no place.', rowText(fields))
      const weekday = weekdayOf(valueIn(fields, columns, 'weekday'))
      const seconds = readHour(valueIn(fields, columns, 'clock'))
      if (weekday === null || seconds === null)
        return sink.refuse(row, 'bad_time', 'The row has no readable weekday and hour.', rowText(fields))
      const { ms: at } = clock.instant(monday + weekday, seconds)
      const isShare = columns.columns.occupied_part === undefined
      const part = (column: 'occupied_part' | 'vacant_part' | 'unknown_part'): number =>
        numberIn(fields, columns, column) ?? 0
      const occupied = isShare
        ? numberIn(fields, columns, 'share')
        : numberIn(fields, columns, 'occupied_part')
      const spaces = numberIn(fields, columns, 'spaces') ?? 0
      if (occupied === null)
        return sink.refuse(
          row,
          'bad_value',
          'The row has no occupancy: unknown, not vacant.',
          rowText(fields),
        )
      if (Math.min(occupied, part('vacant_part'), part('unknown_part'), spaces) < 0)
        return sink.refuse(row, 'negative', 'A number is below 0.', rowText(fields))
      if (spaces === 0 && columns.columns.spaces !== undefined)
        return sink.refuse(row, 'no_capacity', 'The row has no spaces: capacity 0.', rowText(fields))
      if (!seen.note(place.key, at))
        return sink.refuse(
          row,
          'duplicate',
          'An earlier row has the same place, weekday and hour; that one counts.',
          rowText(fields),
        )
      const known = isShare ? 1 : occupied + part('vacant_part')
      const size = spaces || 1
      sink.accept(place)
      sink.add(place, at, at + hourMs, {
        occupied: occupied * size,
        known: known * size,
        unknown: isShare ? 0 : part('unknown_part') * size,
        closed: 0,
        spaces,
        isShare: spaces === 0,
      })
    },
  }
}

/** Monday is 0. Numbers count from Monday 0 or 1, or from Sunday 0 or 1, whichever makes the day with the least operated spaces a Sunday. */
function weekdayReader({ columns, sample }: LayoutContext): (text: string) => number | null {
  const named = (text: string): number => dayNames.indexOf(text.trim().slice(0, 3).toLowerCase())
  const byNumber = new Map<number, number>()
  for (const fields of sample) {
    const number = numberIn(fields, columns, 'weekday')
    if (number !== null)
      byNumber.set(number, (byNumber.get(number) ?? 0) + (numberIn(fields, columns, 'operated_spots') ?? 0))
  }
  const start = byNumber.has(0) ? 0 : 1
  const operated = [...byNumber].toSorted(([, one], [, other]) => one - other)
  const [least, next] = operated
  const isSundayFirst =
    least !== undefined &&
    next !== undefined &&
    least[1] < next[1] * 0.8 &&
    least[0] === start &&
    byNumber.size > 5
  return (text) => {
    const day = named(text)
    if (day >= 0) return day
    const number = /^\d+(\.0*)?$/.test(text) ? Number(text) - start : -1
    if (number < 0 || number > 6) return null
    return isSundayFirst ? (number + 6) % 7 : number
  }
}

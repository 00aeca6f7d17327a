import { dayMs } from '#contract/period.ts'
import { CurbFileError } from '../../imports/curb-format.ts'
import type { CountedSpaces, FilePlace } from './count-sink.ts'
import {
  FilePlaces,
  type LayoutContext,
  type LayoutReader,
  joinRow,
  RowTimes,
  readText,
} from './layout-reader.ts'

/** Longest time in which a vehicle may be in a space; longer ones come from a stuck sensor. */
const maxStayMs = 7 * dayMs
/** Longest time in which a space may be vacant. */
const maxVacantMs = 31 * dayMs
/** A state is unknown this long after the last report of a sensor. */
const silentMs = dayMs
/** Limits memory: all intervals of a file are sorted at the end. */
const maxIntervals = 20_000_000
/** Number of places that are summed before the sums so far may be stored. */
const placesPerStep = 50

const singleSpace = { closed: 0, spaces: 1, isShare: false }
const occupied: CountedSpaces = { ...singleSpace, occupied: 1, known: 1, unknown: 0 }
const vacant: CountedSpaces = { ...singleSpace, occupied: 0, known: 1, unknown: 0 }

interface PlaceRecords {
  place: FilePlace
  /** Records of numbers: [from, until, state] of intervals, or [time, state] of states (see `SpaceState`). */
  values: number[]
}

/** Collects the records of a file by place. */
class RecordsByPlace {
  readonly byPlace = new Map<string, PlaceRecords>()
  #count = 0
  push(place: FilePlace, ...values: number[]): void {
    if (++this.#count > maxIntervals)
      throw new CurbFileError(
        'The file has more than 20 million intervals. Send it in parts, such as months.',
      )
    let records = this.byPlace.get(place.key)
    if (!records) this.byPlace.set(place.key, (records = { place, values: [] }))
    records.values.push(...values)
  }
}

/** Sorts records of `size` numbers by their first number, then in file order. Returns start indices. */
const sortRecords = (values: readonly number[], size: number): number[] =>
  Array.from({ length: values.length / size }, (_, index) => index * size).sort(
    (a, b) => values[a]! - values[b]! || a - b,
  )

const isPresent = (text: string): boolean => /^(true|t|yes|y|1|occupied|present)$/i.test(text)

/**
 * Reads intervals of sensors from arrival to departure, each of one space. If a column shows whether a
 * vehicle was present, time that no interval covers is unknown. Otherwise a space is vacant between two
 * vehicles that are at most a day apart.
 */
export function createIntervalReader(context: LayoutContext): LayoutReader {
  const { columns, sink } = context
  const places = new FilePlaces(columns)
  const arrivals = new RowTimes(context, 'arrival')
  const departures = new RowTimes(context, 'departure')
  const hasPresence = columns.columns.present !== undefined
  const records = new RecordsByPlace()
  return {
    add({ row, fields }) {
      const place = places.get(fields)
      if (!place) return sink.reject(row, 'missing_place', 'The row names no place.', joinRow(fields))
      const starts = arrivals.read(fields, 'arrival')
      const ends = departures.read(fields, 'departure')
      if (starts === null || ends === null)
        return sink.reject(row, 'bad_time', 'The row has no readable arrival and departure.', joinRow(fields))
      // A local time is two instants if it is repeated, none if it is skipped.
      const [from] = starts
      const until = ends.find((end) => from !== undefined && end >= from) ?? ends[0]
      if (from === undefined || until === undefined)
        return sink.reject(row, 'time_skipped', 'The local clock never showed this time.', joinRow(fields))
      if (until < from)
        return sink.reject(row, 'reversed', 'The departure is before the arrival.', joinRow(fields))
      if (sink.isInFuture(from)) return sink.reject(row, 'ahead', 'The arrival lies ahead.', joinRow(fields))
      const isOccupied = !hasPresence || isPresent(readText(fields, columns, 'present'))
      if (until - from > (isOccupied ? maxStayMs : maxVacantMs))
        return sink.reject(
          row,
          'too_long',
          'The interval is longer than 7 days (31 if vacant): a sensor that is stuck.',
          joinRow(fields),
        )
      sink.accept(place)
      records.push(place, from, until, isOccupied ? 1 : 0)
    },
    *finish() {
      let placeCount = 0
      for (const { place, values } of records.byPlace.values()) {
        let lastEnd = -Infinity
        for (const index of sortRecords(values, 3)) {
          const start = values[index]!
          const until = values[index + 1]!
          const isOccupied = values[index + 2] === 1
          if (start < lastEnd)
            sink.warn(0, 'overlap', `Intervals of ${place.label} overlap; the earlier one counts.`, place.key)
          const from = Math.max(start, lastEnd)
          if (!hasPresence && lastEnd > -Infinity && from > lastEnd && from - lastEnd <= silentMs)
            sink.add(place, lastEnd, from, vacant)
          if (until > from) sink.add(place, from, until, isOccupied ? occupied : vacant)
          lastEnd = Math.max(lastEnd, until)
        }
        if (++placeCount % placesPerStep === 0) yield
      }
    },
  }
}

/** Reads states of sensors, each of one space. A state lasts until the next one, at most for a day. */
export function createStateReader(context: LayoutContext): LayoutReader {
  const { columns, sink } = context
  const places = new FilePlaces(columns)
  const rowTimes = new RowTimes(context)
  const records = new RecordsByPlace()
  let newestMs = -Infinity
  return {
    add({ row, fields }) {
      const place = places.get(fields)
      if (!place) return sink.reject(row, 'missing_place', 'The row names no place.', joinRow(fields))
      const instants = rowTimes.read(fields)
      if (instants === null)
        return sink.reject(row, 'bad_time', 'The row has no readable time.', joinRow(fields))
      const [time] = instants
      if (time === undefined)
        return sink.reject(row, 'time_skipped', 'The local clock never showed this time.', joinRow(fields))
      if (sink.isInFuture(time)) return sink.reject(row, 'ahead', 'The time lies ahead.', joinRow(fields))
      const state = readSpaceState(readText(fields, columns, 'state'))
      if (state === null)
        return sink.reject(
          row,
          'bad_value',
          'The state is neither occupied nor vacant nor unknown.',
          joinRow(fields),
        )
      sink.accept(place)
      newestMs = Math.max(newestMs, time)
      records.push(place, time, state)
    },
    *finish() {
      let placeCount = 0
      for (const { place, values } of records.byPlace.values()) {
        const order = sortRecords(values, 2)
        for (const [position, index] of order.entries()) {
          const from = values[index]!
          const state = values[index + 1]!
          const nextIndex = order[position + 1]
          const until = Math.min(nextIndex === undefined ? newestMs : values[nextIndex]!, from + silentMs)
          if (until > from && state >= 0) sink.add(place, from, until, state === 1 ? occupied : vacant)
        }
        if (++placeCount % placesPerStep === 0) yield
      }
    },
  }
}

/** 1 is occupied, 0 vacant, -1 unknown. */
type SpaceState = 1 | 0 | -1

/** Reads the state of a space; null if the text is not a state. An empty text is unknown. */
export function readSpaceState(text: string): SpaceState | null {
  if (/^(occupied|present|full|true|1|taken|in use)$/i.test(text)) return 1
  if (/^(vacant|unoccupied|empty|free|available|false|0)$/i.test(text)) return 0
  return /^(unknown|offline|error|undefined|not available|disconnected|)$/i.test(text) ? -1 : null
}

import { CurbFileError } from '../../imports/curb-format.ts'
import type { Counted, FilePlace } from './count-sink.ts'
import {
  FilePlaces,
  type LayoutContext,
  type LayoutReader,
  rowText,
  RowTimes,
  valueIn,
} from './layout-reader.ts'

const dayMs = 86_400_000
/** A vehicle does not stay longer in one space; a sensor that says so is stuck. */
const maxStayMs = 7 * dayMs
/** A space may be vacant, or a state last, for so long. */
const maxVacantMs = 31 * dayMs
/** A sensor that says nothing is not known after this time. */
const silentMs = dayMs
/** Intervals of one file that are held in memory. */
const maxIntervals = 20_000_000
/** Number of places that are summed before their sums may be stored. */
const placesPerStep = 50

const one = { closed: 0, spaces: 1, isShare: false }
const occupied: Counted = { ...one, occupied: 1, known: 1, unknown: 0 }
const vacant: Counted = { ...one, occupied: 0, known: 1, unknown: 0 }

interface PlaceTimes {
  place: FilePlace
  /** [from, until, state] of intervals, [time, state] of states; state 1 is occupied, 0 vacant, -1 unknown. */
  values: number[]
}

class Times {
  readonly byPlace = new Map<string, PlaceTimes>()
  #count = 0
  push(place: FilePlace, ...values: number[]): void {
    if (++this.#count > maxIntervals)
      throw new CurbFileError(
        'The file has more than 20 million intervals. Send it in parts, such as months.',
      )
    let times = this.byPlace.get(place.key)
    if (!times) this.byPlace.set(place.key, (times = { place, values: [] }))
    times.values.push(...values)
  }
}

/** Positions of records of `size` numbers, by their first number, then in the order of the file. */
const inOrder = (values: readonly number[], size: number): number[] =>
  Array.from({ length: values.length / size }, (_, index) => index * size).sort(
    (a, b) => values[a]! - values[b]! || a - b,
  )

const isYes = (text: string): boolean => /^(true|t|yes|y|1|occupied|present)$/i.test(text)

/**
 * Intervals of sensors, one space each: arrival and departure. With a column that says whether a vehicle is present, what no interval
 * covers is unknown; without one, a space is vacant between its vehicles, at most for a day.
 */
export function intervalLayout(context: LayoutContext): LayoutReader {
  const { columns, sink } = context
  const places = new FilePlaces(columns)
  const [arrivals, departures] = [new RowTimes(context, 'arrival'), new RowTimes(context, 'departure')]
  const hasPresence = columns.columns.present !== undefined
  const times = new Times()
  return {
    add({ row, fields }) {
      const place = places.of(fields)
      if (!place) return sink.refuse(row, 'missing_place', 'The row names no place.', rowText(fields))
      const [starts, ends] = [arrivals.of(fields, 'arrival'), departures.of(fields, 'departure')]
      if (starts === null || ends === null)
        return sink.refuse(row, 'bad_time', 'The row has no readable arrival and departure.', rowText(fields))
      const [from] = starts
      const until = ends.find((each) => from !== undefined && each >= from) ?? ends[0]
      if (from === undefined || until === undefined)
        return sink.refuse(row, 'time_skipped', 'The local clock never showed this time.', rowText(fields))
      if (until < from)
        return sink.refuse(row, 'reversed', 'The departure is before the arrival.', rowText(fields))
      if (sink.isAhead(from)) return sink.refuse(row, 'ahead', 'The arrival lies ahead.', rowText(fields))
      const isOccupied = !hasPresence || isYes(valueIn(fields, columns, 'present'))
      if (until - from > (isOccupied ? maxStayMs : maxVacantMs))
        return sink.refuse(
          row,
          'too_long',
          'The interval is longer than 7 days (31 if vacant): a sensor that is stuck.',
          rowText(fields),
        )
      sink.accept(place)
      times.push(place, from, until, isOccupied ? 1 : 0)
    },
    *finish() {
      let done = 0
      for (const { place, values } of times.byPlace.values()) {
        let last = -Infinity
        for (const at of inOrder(values, 3)) {
          const [start, until, state] = [values[at]!, values[at + 1]!, values[at + 2]!]
          if (start < last)
            sink.note(0, 'overlap', `Intervals of ${place.label} overlap; the earlier one counts.`, place.key)
          const from = Math.max(start, last)
          if (!hasPresence && last > -Infinity && from > last && from - last <= silentMs)
            sink.add(place, last, from, vacant)
          if (until > from) sink.add(place, from, until, state === 1 ? occupied : vacant)
          last = Math.max(last, until)
        }
        if (++done % placesPerStep === 0) yield
      }
    },
  }
}

/** States of sensors, one space each: a state lasts until the next, at most for a day. */
export function stateLayout(context: LayoutContext): LayoutReader {
  const { columns, sink } = context
  const places = new FilePlaces(columns)
  const rowTimes = new RowTimes(context)
  const times = new Times()
  let newest = -Infinity
  return {
    add({ row, fields }) {
      const place = places.of(fields)
      if (!place) return sink.refuse(row, 'missing_place', 'The row names no place.', rowText(fields))
      const instants = rowTimes.of(fields)
      if (instants === null)
        return sink.refuse(row, 'bad_time', 'The row has no readable time.', rowText(fields))
      const [at] = instants
      if (at === undefined)
        return sink.refuse(row, 'time_skipped', 'The local clock never showed this time.', rowText(fields))
      if (sink.isAhead(at)) return sink.refuse(row, 'ahead', 'The time lies ahead.', rowText(fields))
      const state = stateOf(valueIn(fields, columns, 'state'))
      if (state === null)
        return sink.refuse(
          row,
          'bad_value',
          'The state is neither occupied nor vacant nor unknown.',
          rowText(fields),
        )
      sink.accept(place)
      newest = Math.max(newest, at)
      times.push(place, at, state)
    },
    *finish() {
      let done = 0
      for (const { place, values } of times.byPlace.values()) {
        const order = inOrder(values, 2)
        for (const [number, at] of order.entries()) {
          const [from, state] = [values[at]!, values[at + 1]!]
          const next = order[number + 1]
          const until = Math.min(next === undefined ? newest : values[next]!, from + silentMs)
          if (until > from && state >= 0) sink.add(place, from, until, state === 1 ? occupied : vacant)
        }
        if (++done % placesPerStep === 0) yield
      }
    },
  }
}

/** 1 is occupied, 0 vacant, -1 unknown; null: the text is no state. */
export function stateOf(text: string): 1 | 0 | -1 | null {
  if (/^(occupied|present|full|true|1|taken|in use)$/i.test(text)) return 1
  if (/^(vacant|unoccupied|empty|free|available|false|0)$/i.test(text)) return 0
  return /^(unknown|offline|error|undefined|not available|disconnected|)$/i.test(text) ? -1 : null
}

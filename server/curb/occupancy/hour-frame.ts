import { civilClock, startOfDay } from '#contract/civil-clock.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'

const [quarterMs, hourMs] = [900_000, 3_600_000]
/** Hours of a local day. An hour that the clock shows twice is one, one that it skips has no time. */
export const hoursOfDay = 24

/** Times as [from, until, from, until, …], ms, ascending and without overlaps. */
export type Times = readonly number[]

/** Merges times in any order, as [from, until, …]. */
export function unionOf(times: Times): number[] {
  const pairs: [number, number][] = []
  for (let index = 0; index < times.length; index += 2)
    if (times[index + 1]! > times[index]!) pairs.push([times[index]!, times[index + 1]!])
  pairs.sort(([one], [other]) => one - other)
  const merged: number[] = []
  for (const [from, until] of pairs) {
    const last = merged.length - 1
    if (last >= 0 && from <= merged[last]!) merged[last] = Math.max(merged[last]!, until)
    else merged.push(from, until)
  }
  return merged
}

/** What is in both; the second in order and without overlaps, the first in any order. */
export function intersect(one: Times, other: Times): number[] {
  const both: number[] = []
  for (let index = 0; index < one.length; index += 2)
    for (let next = 0; next < other.length && other[next]! < one[index + 1]!; next += 2) {
      const [from, until] = [Math.max(one[index]!, other[next]!), Math.min(one[index + 1]!, other[next + 1]!)]
      if (until > from) both.push(from, until)
    }
  return both
}

/** What is in the first and not in the second; both in order and without overlaps. */
export function subtract(one: Times, other: Times): number[] {
  const gaps = [-Infinity, ...other, Infinity]
  return intersect(one, gaps)
}

/** Successive local days up to now, cut into the hours of their clock. A slot is an hour of a day: `day * 24 + hour`. */
export class HourFrame {
  readonly days: readonly LocalDay[]
  readonly from: number
  /** The end of the last day, or now. */
  readonly until: number
  readonly slots: number
  /** Parts with one hour of the clock: [from, until, slot, …]. */
  readonly #parts: readonly number[]

  constructor(days: readonly LocalDay[], timezone: string, now: number) {
    const [first, last] = [days[0], days.at(-1)] as [LocalDay, LocalDay]
    this.days = days
    this.from = startOfDay(first, timezone)
    this.until = Math.max(this.from, Math.min(startOfDay(dayFromNumber(dayNumber(last) + 1), timezone), now))
    this.slots = days.length * hoursOfDay
    const clock = civilClock(timezone)
    const firstDay = dayNumber(first)
    const parts: number[] = []
    // Offsets from UTC are multiples of a quarter of an hour.
    for (let at = this.from; at < this.until; at += quarterMs) {
      const { day, hour } = clock.local(at)
      const slot = (day - firstDay) * hoursOfDay + hour
      const until = Math.min(at + quarterMs, this.until)
      if (parts.at(-1) === slot) parts[parts.length - 2] = until
      else parts.push(at, until, slot)
    }
    this.#parts = parts
  }

  /** The parts of times by slot. */
  cut(times: Times): Pieces {
    const pieces: number[] = []
    let at = 0
    for (let part = 0; part < this.#parts.length; part += 3) {
      const [from, until, slot] = [this.#parts[part]!, this.#parts[part + 1]!, this.#parts[part + 2]!]
      while (at < times.length && times[at + 1]! <= from) at += 2
      for (let next = at; next < times.length && times[next]! < until; next += 2)
        pieces.push(Math.max(from, times[next]!), Math.min(until, times[next + 1]!), slot)
    }
    return new Pieces(this, pieces)
  }

  newSums(): Float64Array {
    return new Float64Array(this.slots)
  }
}

/** Times that count, each part with its slot. */
export class Pieces {
  /** Ms of each slot. */
  readonly lengths: Float64Array
  readonly #frame: HourFrame
  /** [from, until, slot, …]. */
  readonly #pieces: Float64Array
  /** By hours since the begin of the frame: the first piece that ends after it. */
  readonly #firstOf: Int32Array

  constructor(frame: HourFrame, pieces: readonly number[]) {
    this.#frame = frame
    this.#pieces = Float64Array.from(pieces)
    this.lengths = frame.newSums()
    for (let index = 0; index < pieces.length; index += 3)
      this.lengths[pieces[index + 2]!]! += pieces[index + 1]! - pieces[index]!
    const hours = Math.ceil((frame.until - frame.from) / hourMs) + 1
    this.#firstOf = new Int32Array(hours)
    for (let hour = 0, at = 0; hour < hours; hour++) {
      while (at < pieces.length && pieces[at + 1]! <= frame.from + hour * hourMs) at += 3
      this.#firstOf[hour] = at
    }
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  /** Adds the part of a time that counts to the sums of its slots. */
  add(sums: Float64Array, from: number, until: number, weight = 1): void {
    const begin = Math.max(from, this.#frame.from)
    if (begin >= Math.min(until, this.#frame.until)) return
    const pieces = this.#pieces
    for (
      let at = this.#firstOf[Math.floor((begin - this.#frame.from) / hourMs)]!;
      at < pieces.length && pieces[at]! < until;
      at += 3
    ) {
      const part = Math.min(until, pieces[at + 1]!) - Math.max(begin, pieces[at]!)
      if (part > 0) sums[pieces[at + 2]!]! += part * weight
    }
  }

  addAll(sums: Float64Array, times: Times, weight = 1): void {
    for (let index = 0; index < times.length; index += 2) this.add(sums, times[index]!, times[index + 1]!, weight)
  }
}

import { civilClock, startOfDay, endOfDay } from '#contract/civil-clock.ts'
import { dayNumber, hourMs, type LocalDay } from '#contract/period.ts'

const quarterMs = 900_000
/** Hours of a local day. An hour that the clock shows twice counts as one; one that it skips has no time. */
export const hoursOfDay = 24

/** Spans of time as [from, until, from, until, …], ms since 1970; sorted, without overlaps unless stated. */
export type Times = readonly number[]

/** Merges unsorted and overlapping times. */
export function mergeTimes(times: Times): number[] {
  const pairs: [number, number][] = []
  for (let index = 0; index < times.length; index += 2)
    if (times[index + 1]! > times[index]!) pairs.push([times[index]!, times[index + 1]!])
  pairs.sort(([a], [b]) => a - b)
  const merged: number[] = []
  for (const [from, until] of pairs) {
    const lastIndex = merged.length - 1
    if (lastIndex >= 0 && from <= merged[lastIndex]!) merged[lastIndex] = Math.max(merged[lastIndex]!, until)
    else merged.push(from, until)
  }
  return merged
}

/** Returns the times that are in both lists. The first list may be unsorted and overlapping. */
export function intersect(times: Times, otherTimes: Times): number[] {
  const common: number[] = []
  for (let index = 0; index < times.length; index += 2)
    for (let other = 0; other < otherTimes.length && otherTimes[other]! < times[index + 1]!; other += 2) {
      const from = Math.max(times[index]!, otherTimes[other]!)
      const until = Math.min(times[index + 1]!, otherTimes[other + 1]!)
      if (until > from) common.push(from, until)
    }
  return common
}

/** Returns the times that are in the first list and not in the second. */
export function subtract(times: Times, removed: Times): number[] {
  const remaining = [-Infinity, ...removed, Infinity]
  return intersect(times, remaining)
}

/**
 * Successive local days up to now, divided into the hours of their clock. A slot is an hour of a day: its
 * number is `day * 24 + hour`, with the index of the day in `days`.
 */
export class HourFrame {
  readonly days: readonly LocalDay[]
  /** Milliseconds since 1970. */
  readonly from: number
  /** The end of the last day, or now if that is earlier. */
  readonly until: number
  readonly slots: number
  /** The spans of the slots: [from, until, slot, …]. */
  readonly #slotSpans: readonly number[]

  constructor(days: readonly LocalDay[], timezone: string, now: number) {
    const firstDay = days[0]!
    const lastDay = days.at(-1)!
    this.days = days
    this.from = startOfDay(firstDay, timezone)
    this.until = Math.max(this.from, Math.min(endOfDay(lastDay, timezone), now))
    this.slots = days.length * hoursOfDay
    const clock = civilClock(timezone)
    const firstDayNumber = dayNumber(firstDay)
    const slotSpans: number[] = []
    // Offsets from UTC are multiples of 15 minutes, so each quarter belongs to one hour of the clock.
    for (let start = this.from; start < this.until; start += quarterMs) {
      const { day, hour } = clock.local(start)
      const slot = (day - firstDayNumber) * hoursOfDay + hour
      const until = Math.min(start + quarterMs, this.until)
      if (slotSpans.at(-1) === slot) slotSpans[slotSpans.length - 2] = until
      else slotSpans.push(start, until, slot)
    }
    this.#slotSpans = slotSpans
  }

  /** Cuts times at the borders of slots, and drops what is outside the frame. */
  cut(times: Times): SlotTimes {
    const spans: number[] = []
    let first = 0
    for (let index = 0; index < this.#slotSpans.length; index += 3) {
      const from = this.#slotSpans[index]!
      const until = this.#slotSpans[index + 1]!
      const slot = this.#slotSpans[index + 2]!
      while (first < times.length && times[first + 1]! <= from) first += 2
      for (let next = first; next < times.length && times[next]! < until; next += 2)
        spans.push(Math.max(from, times[next]!), Math.min(until, times[next + 1]!), slot)
    }
    return new SlotTimes(this, spans)
  }

  /** Creates an array of sums, one per slot. */
  createSums(): Float64Array {
    return new Float64Array(this.slots)
  }
}

/** Times that count, divided into slots. */
export class SlotTimes {
  /** The counted ms of each slot. */
  readonly lengths: Float64Array
  readonly #frame: HourFrame
  /** [from, until, slot, …]. */
  readonly #spans: Float64Array
  /** For each hour of the frame, the index of the first span that ends after it: speeds up `add`. */
  readonly #firstSpanByHour: Int32Array

  constructor(frame: HourFrame, spans: readonly number[]) {
    this.#frame = frame
    this.#spans = Float64Array.from(spans)
    this.lengths = frame.createSums()
    for (let index = 0; index < spans.length; index += 3)
      this.lengths[spans[index + 2]!]! += spans[index + 1]! - spans[index]!
    const hours = Math.ceil((frame.until - frame.from) / hourMs) + 1
    this.#firstSpanByHour = new Int32Array(hours)
    for (let hour = 0, index = 0; hour < hours; hour++) {
      while (index < spans.length && spans[index + 1]! <= frame.from + hour * hourMs) index += 3
      this.#firstSpanByHour[hour] = index
    }
  }

  get isEmpty(): boolean {
    return this.#spans.length === 0
  }

  /** Adds the ms of a span that count, times a weight, to the sums of their slots. */
  add(sums: Float64Array, from: number, until: number, weight = 1): void {
    const begin = Math.max(from, this.#frame.from)
    if (begin >= Math.min(until, this.#frame.until)) return
    const spans = this.#spans
    for (
      let index = this.#firstSpanByHour[Math.floor((begin - this.#frame.from) / hourMs)]!;
      index < spans.length && spans[index]! < until;
      index += 3
    ) {
      const ms = Math.min(until, spans[index + 1]!) - Math.max(begin, spans[index]!)
      if (ms > 0) sums[spans[index + 2]!]! += ms * weight
    }
  }

  addAll(sums: Float64Array, times: Times, weight = 1): void {
    for (let index = 0; index < times.length; index += 2)
      this.add(sums, times[index]!, times[index + 1]!, weight)
  }
}

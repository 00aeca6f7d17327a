import { type CivilClock, civilClock } from '#contract/civil-clock.ts'
import type { CdsRate, CdsTimeUnit } from '#contract/cds.ts'
import type { StayCharge } from '#contract/curb-rules.ts'
import { dayMs, hourMs } from '#contract/period.ts'

/**
 * Returns the price of a stay by the rates of one rule, in minor units.
 *
 * Each rate charges the part of the stay between its `start_duration` and `end_duration`, counted from the
 * arrival. A `rolling` rate charges in proportion to time or, if it has an `increment_duration`, in whole
 * increments from the start of its part. A `calendar` rate charges each started unit of the local calendar in
 * full. The amount of each rate is rounded up to a multiple of `increment_amount`, or else to a whole minor
 * unit. `maximum_fee` limits the sum of its rate and all earlier ones.
 *
 * If `application` is `flat` (`rate_application_type` of CDS proposal #131), the stay costs the `rate` of the
 * last part that it reaches, once.
 */
export function chargeStay(
  rates: readonly CdsRate[],
  { startMs, endMs, timezone }: { startMs: number; endMs: number; timezone: string },
  application: 'additive' | 'flat' = 'additive',
): StayCharge {
  if (endMs <= startMs) return { amount: 0, parts: [] }
  const clock = civilClock(timezone)
  const sorted = rates
    .map((rate, index) => {
      const boundary = createBoundary(rate, startMs, clock)
      // The first calendar unit begins before the arrival, which is not charged.
      const from = Math.max(startMs, boundary(rate.start_duration ?? 0))
      return { rate, index, boundary, from }
    })
    .sort((a, b) => a.from - b.from)
  if (application === 'flat') {
    const reached = sorted.findLast(({ from }) => from <= endMs)
    if (!reached) return { amount: 0, parts: [] }
    const amount = Math.min(reached.rate.rate, reached.rate.maximum_fee ?? Infinity)
    return { amount, parts: [{ rate: reached.index, amount }] }
  }
  let total = 0
  const parts: StayCharge['parts'] = []
  for (const { rate, index, boundary, from } of sorted) {
    if (from >= endMs) break
    const partAmount = chargePart(rate, boundary, endMs)
    const amount = Math.max(0, Math.min(partAmount, (rate.maximum_fee ?? Infinity) - total))
    parts.push({ rate: index, amount })
    total += amount
  }
  return { amount: total, parts }
}

/** The instant (ms) at which a number of units of a rate have passed since the arrival. */
type Boundary = (units: number) => number

/**
 * Lengths of the units that always have the same length, so that an hour that the clock repeats counts twice.
 * Calendar units of this kind begin with the unit that contains the arrival. Lengths of days and longer units
 * depend on the local calendar.
 */
const fixedLengths: Readonly<Partial<Record<CdsTimeUnit, number>>> = {
  second: 1000,
  minute: 60_000,
  hour: hourMs,
}

/** Creates the function that computes the boundaries of a rate's units. */
function createBoundary(
  { rate_unit: unit, rate_unit_period: period }: CdsRate,
  startMs: number,
  clock: CivilClock,
): Boundary {
  const arrival = clock.local(startMs)
  const isCalendar = period === 'calendar'
  const length = fixedLengths[unit]
  if (length !== undefined) {
    const first = isCalendar
      ? startMs - ((arrival.seconds * 1000) % length) - getMillisecondPart(startMs)
      : startMs
    return (units) => first + units * length
  }
  if (!isCalendar) {
    const milliseconds = getMillisecondPart(startMs)
    return (units) =>
      units === 0
        ? startMs
        : clock.instant(getDayAfter(arrival.day, unit, units), arrival.seconds).ms + milliseconds
  }
  const first = getFirstDayOfUnit(arrival.day, unit)
  return (units) => clock.instant(getDayAfter(first, unit, units), 0).ms
}

/** Returns the milliseconds after the last whole second. Clocks only have seconds. */
const getMillisecondPart = (ms: number): number => ms - Math.floor(ms / 1000) * 1000

/** Returns the day number some units later; the last day of the month if the month has no such day. */
function getDayAfter(day: number, unit: CdsTimeUnit, units: number): number {
  if (unit === 'day') return day + units
  if (unit === 'week') return day + 7 * units
  const date = new Date(day * dayMs)
  // A month beyond December continues in the following years.
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + units * (unit === 'month' ? 1 : 12)]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) / dayMs
}

/** Returns the first day of the calendar unit that contains a day; weeks start on Monday. */
function getFirstDayOfUnit(day: number, unit: CdsTimeUnit): number {
  const date = new Date(day * dayMs)
  if (unit === 'week') return day - ((date.getUTCDay() + 6) % 7)
  if (unit === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / dayMs
  return unit === 'year' ? Date.UTC(date.getUTCFullYear(), 0) / dayMs : day
}

/** Returns the amount of a rate for its part of a stay, rounded up. */
function chargePart(rate: CdsRate, boundary: Boundary, endMs: number): number {
  const first = rate.start_duration ?? 0
  const last = rate.end_duration ?? Infinity
  const end = last === Infinity ? endMs : Math.min(endMs, boundary(last))
  if (end <= boundary(first)) return 0
  const length = fixedLengths[rate.rate_unit]
  // Units that have passed at the end, and the time since then.
  let complete = first
  if (length !== undefined) complete += Math.floor((end - boundary(first)) / length)
  else while (boundary(complete + 1) <= end) complete++
  const rest = end - boundary(complete)
  const step = BigInt(rate.increment_amount ?? 1)
  // The charged units are `numerator / denominator`, as integers to avoid rounding errors.
  let [numerator, denominator] = [BigInt(complete - first), 1n]
  if (rate.rate_unit_period === 'calendar' || rate.increment_duration !== undefined) {
    const increment = rate.increment_duration ?? 1
    const startedUnits = Math.ceil((complete - first + (rest > 0 ? 1 : 0)) / increment) * increment
    // An increment ends with the part of its rate, because the next rate charges from there.
    numerator = BigInt(Math.min(startedUnits, last - first))
  } else if (rest > 0) {
    denominator = BigInt(boundary(complete + 1) - boundary(complete))
    numerator = numerator * denominator + BigInt(rest)
  }
  const divisor = denominator * step
  return Number(((BigInt(rate.rate) * numerator + divisor - 1n) / divisor) * step)
}

import { type CivilClock, civilClock } from '#contract/civil-clock.ts'
import type { CdsRate, CdsTimeUnit } from '#contract/cds.ts'
import type { StayCharge } from '#contract/curb-rules.ts'
import { dayMs, hourMs, minuteMs } from '#contract/period.ts'

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
  const sortedRates = rates
    .map((rate, index) => {
      const getBoundary = createBoundary(rate, startMs, clock)
      // The first calendar unit begins before the arrival, which is not charged.
      const from = Math.max(startMs, getBoundary(rate.start_duration ?? 0))
      return { rate, index, getBoundary, from }
    })
    .sort((a, b) => a.from - b.from)
  if (application === 'flat') {
    const lastReached = sortedRates.findLast(({ from }) => from <= endMs)
    if (!lastReached) return { amount: 0, parts: [] }
    const amount = Math.min(lastReached.rate.rate, lastReached.rate.maximum_fee ?? Infinity)
    return { amount, parts: [{ rate: lastReached.index, amount }] }
  }
  let total = 0
  const parts: StayCharge['parts'] = []
  for (const { rate, index, getBoundary, from } of sortedRates) {
    if (from >= endMs) break
    const partAmount = chargePart(rate, getBoundary, endMs)
    const amount = Math.max(0, Math.min(partAmount, (rate.maximum_fee ?? Infinity) - total))
    parts.push({ rate: index, amount })
    total += amount
  }
  return { amount: total, parts }
}

/** Returns the instant (ms) at which a number of units of a rate have passed since the arrival. */
type GetBoundary = (units: number) => number

/**
 * Lengths of the units that always have the same length, so that an hour that the clock repeats counts twice.
 * Calendar units of this kind begin with the unit that contains the arrival. Lengths of days and longer units
 * depend on the local calendar.
 */
const fixedLengths: Readonly<Partial<Record<CdsTimeUnit, number>>> = {
  second: 1000,
  minute: minuteMs,
  hour: hourMs,
}

/** Creates the function that computes the boundaries of a rate's units. */
function createBoundary(
  { rate_unit: unit, rate_unit_period: period }: CdsRate,
  startMs: number,
  clock: CivilClock,
): GetBoundary {
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
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() + units * (unit === 'month' ? 1 : 12)
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
function chargePart(rate: CdsRate, getBoundary: GetBoundary, endMs: number): number {
  const startUnits = rate.start_duration ?? 0
  const endUnits = rate.end_duration ?? Infinity
  const end = endUnits === Infinity ? endMs : Math.min(endMs, getBoundary(endUnits))
  if (end <= getBoundary(startUnits)) return 0
  const length = fixedLengths[rate.rate_unit]
  // Units that have passed at the end, and the time since then.
  let passedUnits = startUnits
  if (length !== undefined) passedUnits += Math.floor((end - getBoundary(startUnits)) / length)
  else while (getBoundary(passedUnits + 1) <= end) passedUnits++
  const remainderMs = end - getBoundary(passedUnits)
  const step = BigInt(rate.increment_amount ?? 1)
  // The charged units are `numerator / denominator`, as integers to avoid rounding errors.
  let numerator = BigInt(passedUnits - startUnits)
  let denominator = 1n
  if (rate.rate_unit_period === 'calendar' || rate.increment_duration !== undefined) {
    const increment = rate.increment_duration ?? 1
    const startedUnits =
      Math.ceil((passedUnits - startUnits + (remainderMs > 0 ? 1 : 0)) / increment) * increment
    // An increment ends with the part of its rate, because the next rate charges from there.
    numerator = BigInt(Math.min(startedUnits, endUnits - startUnits))
  } else if (remainderMs > 0) {
    denominator = BigInt(getBoundary(passedUnits + 1) - getBoundary(passedUnits))
    numerator = numerator * denominator + BigInt(remainderMs)
  }
  const divisor = denominator * step
  return Number(((BigInt(rate.rate) * numerator + divisor - 1n) / divisor) * step)
}

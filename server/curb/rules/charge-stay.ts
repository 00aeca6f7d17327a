import { type CivilClock, civilClock } from '#contract/civil-clock.ts'
import type { CdsRate, CdsTimeUnit } from '#contract/cds.ts'
import type { StayCharge } from '#contract/curb-rules.ts'

/**
 * What a stay costs by the rates of one rule, in minor units.
 *
 * Each rate charges the part of the stay between its `start_duration` and `end_duration`, counted from the arrival. A `rolling` rate
 * charges in proportion to time, or in whole increments from the start of its part where it has `increment_duration`. A `calendar`
 * rate charges each started unit of the local calendar in full. The amount of a rate is rounded up, to `increment_amount` or else to
 * one minor unit. `maximum_fee` limits what is charged up to and including its rate.
 *
 * `flat` (`rate_application_type` of proposal #131): the stay costs the `rate` of the duration that it reaches, once.
 */
export function chargeStay(
  rates: readonly CdsRate[],
  startMs: number,
  endMs: number,
  zone: string,
  application: 'additive' | 'flat' = 'additive',
): StayCharge {
  if (endMs <= startMs) return { amount: 0, parts: [] }
  const clock = civilClock(zone)
  const sorted = rates
    .map((rate, index) => {
      const boundary = boundariesOf(rate, startMs, clock)
      // The first calendar unit begins before the arrival.
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
    const charged = charge(rate, boundary, endMs)
    const amount = Math.max(0, Math.min(charged, (rate.maximum_fee ?? Infinity) - total))
    parts.push({ rate: index, amount })
    total += amount
  }
  return { amount: total, parts }
}

/** The instant at which so many units of a rate have begun since the arrival. */
type Boundary = (units: number) => number

/**
 * Units of one length, also those of the calendar, which begin with the unit of the arrival: a repeated hour counts twice. The
 * others have the length that the local calendar gives them.
 */
const fixedLengths: Readonly<Partial<Record<CdsTimeUnit, number>>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
}

function boundariesOf(
  { rate_unit: unit, rate_unit_period: period }: CdsRate,
  startMs: number,
  clock: CivilClock,
): Boundary {
  const arrival = clock.local(startMs)
  const isCalendar = period === 'calendar'
  const length = fixedLengths[unit]
  if (length !== undefined) {
    const first = isCalendar
      ? startMs - ((arrival.seconds * 1000) % length) - millisecondsOf(startMs)
      : startMs
    return (units) => first + units * length
  }
  if (!isCalendar) {
    const rest = millisecondsOf(startMs)
    return (units) =>
      units === 0 ? startMs : clock.instant(dayAfter(arrival.day, unit, units), arrival.seconds).ms + rest
  }
  const first = firstDayOf(arrival.day, unit)
  return (units) => clock.instant(dayAfter(first, unit, units), 0).ms
}

const millisecondsOf = (ms: number): number => ms - Math.floor(ms / 1000) * 1000

const dayMs = 86_400_000

/** The day number so many days, weeks, months or years later; the last day of a month that has no such day. */
function dayAfter(day: number, unit: CdsTimeUnit, units: number): number {
  if (unit === 'day') return day + units
  if (unit === 'week') return day + 7 * units
  const date = new Date(day * dayMs)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + units * (unit === 'month' ? 1 : 12)]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) / dayMs
}

/** The first day of the calendar unit that contains a day; weeks start on Monday. */
function firstDayOf(day: number, unit: CdsTimeUnit): number {
  const date = new Date(day * dayMs)
  if (unit === 'week') return day - ((date.getUTCDay() + 6) % 7)
  if (unit === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / dayMs
  return unit === 'year' ? Date.UTC(date.getUTCFullYear(), 0) / dayMs : day
}

/** What a rate charges for its part of a stay, rounded up. */
function charge(rate: CdsRate, boundary: Boundary, endMs: number): number {
  const first = rate.start_duration ?? 0
  const last = rate.end_duration ?? Infinity
  const end = last === Infinity ? endMs : Math.min(endMs, boundary(last))
  if (end <= boundary(first)) return 0
  const length = fixedLengths[rate.rate_unit]
  let complete = first
  if (length !== undefined) complete += Math.floor((end - boundary(first)) / length)
  else while (boundary(complete + 1) <= end) complete++
  const rest = end - boundary(complete)
  const step = BigInt(rate.increment_amount ?? 1)
  // Exact as integers: units are `numerator / denominator`.
  let [numerator, denominator] = [BigInt(complete - first), 1n]
  if (rate.rate_unit_period === 'calendar' || rate.increment_duration !== undefined) {
    const increment = rate.increment_duration ?? 1
    const begun = Math.ceil((complete - first + (rest > 0 ? 1 : 0)) / increment) * increment
    // An increment does not go beyond the part of its rate, where the next one charges.
    numerator = BigInt(Math.min(begun, last - first))
  } else if (rest > 0) {
    denominator = BigInt(boundary(complete + 1) - boundary(complete))
    numerator = numerator * denominator + BigInt(rest)
  }
  const divisor = denominator * step
  return Number(((BigInt(rate.rate) * numerator + divisor - 1n) / divisor) * step)
}

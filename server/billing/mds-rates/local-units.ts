import type { CivilClock } from '#contract/civil-clock.ts'
import { hourMs } from '#contract/period.ts'
import type { RateUnit } from '#contract/policy-types/mds-rates.ts'

/** A unit of the local clock, ms, half open. */
export interface UnitSpan {
  begin: number
  next: number
}

/** Lengths of units, ms. */
const unitLengths: Record<Exclude<RateUnit, 'days'>, number> = {
  seconds: 1000,
  minutes: 60_000,
  hours: hourMs,
}

/** Returns the bounds of a local hour that a clock change shortens or lengthens, found minute by minute. */
function findChangedHour(ms: number, clock: CivilClock): UnitSpan {
  const getLocalHour = (ms: number): number => {
    const { day, hour } = clock.local(ms)
    return day * 24 + hour
  }
  let begin = Math.floor(ms / unitLengths.minutes) * unitLengths.minutes
  const localHour = getLocalHour(begin)
  while (getLocalHour(begin - 1) === localHour) begin -= unitLengths.minutes
  let next = begin + unitLengths.minutes
  while (getLocalHour(next) === localHour) next += unitLengths.minutes
  return { begin, next }
}

/** Finds the unit of the local clock around a moment. Days begin at midnight, hours at the full hour. */
export function findUnit(unit: RateUnit, ms: number, clock: CivilClock): UnitSpan {
  const { day, seconds } = clock.local(ms)
  if (unit === 'days') return { begin: clock.instant(day, 0).ms, next: clock.instant(day + 1, 0).ms }
  const length = unitLengths[unit]
  // Unlike `%`, this remainder is not negative before 1970.
  const msOfSecond = ((ms % 1000) + 1000) % 1000
  const begin = ms - ((seconds % (length / 1000)) * 1000 + msOfSecond)
  const next = begin + length
  if (unit !== 'hours') return { begin, next }
  const isRegularHour = [begin, next].every((bound) => clock.local(bound).seconds % 3600 === 0)
  return isRegularHour ? { begin, next } : findChangedHour(ms, clock)
}

/** Returns the first start of a unit at or after a moment, ms. */
export function findNextUnitStart(unit: RateUnit, ms: number, clock: CivilClock): number {
  const { begin, next } = findUnit(unit, ms, clock)
  return begin < ms ? next : begin
}

/** Counts units between two starts, by local day. Seconds and minutes are computed, not counted. */
export function groupUnitsByDay(
  unit: RateUnit,
  from: number,
  until: number,
  clock: CivilClock,
): { day: number; from: number; until: number; quantity: number }[] {
  const days: { day: number; from: number; until: number; quantity: number }[] = []
  for (let start = from; start < until;) {
    const { day } = clock.local(start)
    const end = Math.min(until, clock.instant(day + 1, 0).ms)
    let quantity = 1
    if (unit === 'seconds' || unit === 'minutes') quantity = Math.round((end - start) / unitLengths[unit])
    else if (unit === 'hours') {
      quantity = 0
      for (let hour = start; hour < end; quantity++) hour = findUnit('hours', hour, clock).next
    }
    days.push({ day, from: start, until: end, quantity })
    start = end
  }
  return days
}

import type { CivilClock } from '#contract/civil-clock.ts'
import { hourMs } from '#contract/period.ts'
import type { RateUnit } from '#contract/policy-types/mds-rates.ts'

/** A unit of the local clock, ms, half open. */
export interface UnitSpan {
  begin: number
  next: number
}

const lengths: Record<Exclude<RateUnit, 'days'>, number> = { seconds: 1000, minutes: 60_000, hours: hourMs }

/** Returns bounds of a local hour of which a clock change skips or repeats a part, found minute by minute. */
function findChangedHour(ms: number, clock: CivilClock): UnitSpan {
  const hourAt = (ms: number): number => {
    const { day, hour } = clock.local(ms)
    return day * 24 + hour
  }
  let begin = Math.floor(ms / lengths.minutes) * lengths.minutes
  const localHour = hourAt(begin)
  while (hourAt(begin - 1) === localHour) begin -= lengths.minutes
  let next = begin + lengths.minutes
  while (hourAt(next) === localHour) next += lengths.minutes
  return { begin, next }
}

/** Finds the unit of the local clock around a moment. Days begin at midnight, hours at the full hour. */
export function findUnit(unit: RateUnit, ms: number, clock: CivilClock): UnitSpan {
  const { day, seconds } = clock.local(ms)
  if (unit === 'days') return { begin: clock.instant(day, 0).ms, next: clock.instant(day + 1, 0).ms }
  const length = lengths[unit]
  const begin = ms - ((seconds % (length / 1000)) * 1000 + (((ms % 1000) + 1000) % 1000))
  const next = begin + length
  if (unit !== 'hours') return { begin, next }
  const isFull = [begin, next].every((bound) => clock.local(bound).seconds % 3600 === 0)
  return isFull ? { begin, next } : findChangedHour(ms, clock)
}

/** Returns the first start of a unit at or after a moment, ms. */
export function findNextUnitStart(unit: RateUnit, ms: number, clock: CivilClock): number {
  const { begin, next } = findUnit(unit, ms, clock)
  return begin < ms ? next : begin
}

/**
 * Counts the units between two starts of units, by local day. Clocks change by whole minutes, so seconds and
 * minutes are computed instead of counted.
 */
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
    if (unit === 'seconds' || unit === 'minutes') quantity = Math.round((end - start) / lengths[unit])
    else if (unit === 'hours') {
      quantity = 0
      for (let hour = start; hour < end; quantity++) hour = findUnit('hours', hour, clock).next
    }
    days.push({ day, from: start, until: end, quantity })
    start = end
  }
  return days
}

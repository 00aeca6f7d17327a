import type { CivilClock } from '#contract/civil-clock.ts'
import type { RateUnit } from '#contract/policy-types/mds-rates.ts'

/** A time in ms, half open. */
export interface UnitSpan {
  begin: number
  next: number
}

const lengths: Record<Exclude<RateUnit, 'days'>, number> = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
}

/** The begin and the end of an hour of which the clock skips or repeats a part, minute by minute. */
function changedHour(ms: number, clock: CivilClock): UnitSpan {
  const hourAt = (at: number): number => {
    const { day, hour } = clock.local(at)
    return day * 24 + hour
  }
  let begin = Math.floor(ms / lengths.minutes) * lengths.minutes
  const own = hourAt(begin)
  while (hourAt(begin - 1) === own) begin -= lengths.minutes
  let next = begin + lengths.minutes
  while (hourAt(next) === own) next += lengths.minutes
  return { begin, next }
}

/** The unit of the local clock that a moment is in: a day from midnight, an hour from the full hour. */
export function unitAround(unit: RateUnit, ms: number, clock: CivilClock): UnitSpan {
  const { day, seconds } = clock.local(ms)
  if (unit === 'days') return { begin: clock.instant(day, 0).ms, next: clock.instant(day + 1, 0).ms }
  const length = lengths[unit]
  const begin = ms - ((seconds % (length / 1000)) * 1000 + (((ms % 1000) + 1000) % 1000))
  const next = begin + length
  if (unit !== 'hours') return { begin, next }
  const isFull = [begin, next].every((at) => clock.local(at).seconds % 3600 === 0)
  return isFull ? { begin, next } : changedHour(ms, clock)
}

/** When the first unit begins that does not begin before a moment, ms. */
export function unitFrom(unit: RateUnit, ms: number, clock: CivilClock): number {
  const { begin, next } = unitAround(unit, ms, clock)
  return begin < ms ? next : begin
}

/** Whole units from one begin of a unit to another, by local day. Clocks change by whole minutes, so short units are not counted one by one. */
export function unitsByDay(
  unit: RateUnit,
  from: number,
  until: number,
  clock: CivilClock,
): { day: number; from: number; until: number; quantity: number }[] {
  const days: { day: number; from: number; until: number; quantity: number }[] = []
  for (let at = from; at < until;) {
    const { day } = clock.local(at)
    const end = Math.min(until, clock.instant(day + 1, 0).ms)
    let quantity = 1
    if (unit === 'seconds' || unit === 'minutes') quantity = Math.round((end - at) / lengths[unit])
    else if (unit === 'hours') {
      quantity = 0
      for (let hour = at; hour < end; quantity++) hour = unitAround('hours', hour, clock).next
    }
    days.push({ day, from: at, until: end, quantity })
    at = end
  }
  return days
}

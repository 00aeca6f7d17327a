import type { HealthDay } from '#contract/health.ts'
import type { LocalDay } from '#contract/period.ts'
import { hourEnds } from '../local-hours.ts'
import { againstUsual, type HourTable, usuallyHasSome } from './usual-counts.ts'

export interface HealthClock {
  timezone: string
  /** Ms since 1970. */
  at: number
  /** Records are due within this time. */
  promisedMinutes: number
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** A day of an operator by hour. An hour has a state once it has ended and the promised time has passed. */
export function healthDay(
  table: HourTable,
  day: LocalDay,
  { timezone, at, promisedMinutes }: HealthClock,
): HealthDay {
  const ends = hourEnds(day, timezone)
  const counts = hours.map((hour) => table.get(day)?.[hour] ?? 0)
  const states = hours.map((hour): HealthDay['states'][number] => {
    const end = ends[hour] ?? null
    if (end === null) return 'none'
    if ((counts[hour] ?? 0) > 0) return 'data'
    if (end + promisedMinutes * 60_000 > at) return 'ahead'
    return usuallyHasSome(table, day, hour) ? 'gap' : 'quiet'
  })
  // Both counts cover past hours only, so that an unfinished day does not look low.
  const over = hours.filter((hour) => (ends[hour] ?? Infinity) <= at)
  const { usual } = againstUsual(table, day, over)
  return { day, hours: counts, states, count: counts.reduce((sum, count) => sum + count, 0), usual }
}

/** Records of the hours that have passed and their usual number; null if that is unknown. */
export function volumeOf(
  table: HourTable,
  day: LocalDay,
  { timezone, at }: HealthClock,
): { count: number; usual: number } | null {
  const ends = hourEnds(day, timezone)
  const { count, usual } = againstUsual(
    table,
    day,
    hours.filter((hour) => (ends[hour] ?? Infinity) <= at),
  )
  return usual === null ? null : { count, usual }
}

/** The hours of some days (in order) that have a state, newest first. */
export const judgedHours = (
  days: readonly HealthDay[],
): { day: LocalDay; hour: number; state: HealthDay['states'][number] }[] =>
  days
    .flatMap(({ day, states }) => states.map((state, hour) => ({ day, hour, state })))
    .filter(({ state }) => state !== 'ahead' && state !== 'none')
    .toReversed()

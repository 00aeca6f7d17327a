import type { HealthDay } from '#contract/health.ts'
import type { LocalDay } from '#contract/period.ts'
import { getHourEnds } from '#server/regions/local-hours.ts'
import { compareWithUsual, type HourTable, usuallyHasRecords } from './usual-counts.ts'

/** What decides which hours of a day can be judged. */
export interface HealthClock {
  timezone: string
  /** Milliseconds since 1970. */
  at: number
  /** The operator must deliver records within this time. */
  promisedMinutes: number
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/**
 * Returns a day of an operator by hour. States: `none` if the clock skips the hour, `data`, `ahead` while
 * records are not due yet, and without records `gap` if the hour usually has some, else `quiet`.
 */
export function judgeDay(
  table: HourTable,
  day: LocalDay,
  { timezone, at, promisedMinutes }: HealthClock,
): HealthDay {
  const ends = getHourEnds(day, timezone)
  const counts = hours.map((hour) => table.get(day)?.[hour] ?? 0)
  const states = hours.map((hour): HealthDay['states'][number] => {
    const end = ends[hour] ?? null
    if (end === null) return 'none'
    if ((counts[hour] ?? 0) > 0) return 'data'
    if (end + promisedMinutes * 60_000 > at) return 'ahead'
    return usuallyHasRecords(table, day, hour) ? 'gap' : 'quiet'
  })
  // The usual number covers past hours only, so that an unfinished day does not look low.
  const pastHours = hours.filter((hour) => (ends[hour] ?? Infinity) <= at)
  const { usual } = compareWithUsual(table, day, pastHours)
  return { day, hours: counts, states, count: counts.reduce((sum, count) => sum + count, 0), usual }
}

/** Returns the number of records in the past hours of a day and the usual number; null if that is unknown. */
export function countVolume(
  table: HourTable,
  day: LocalDay,
  { timezone, at }: HealthClock,
): { count: number; usual: number } | null {
  const ends = getHourEnds(day, timezone)
  const { count, usual } = compareWithUsual(
    table,
    day,
    hours.filter((hour) => (ends[hour] ?? Infinity) <= at),
  )
  return usual === null ? null : { count, usual }
}

/** Returns whether the state of an hour is final: its records were due, and the clock did not skip it. */
export const isJudged = (state: HealthDay['states'][number]): boolean => state !== 'ahead' && state !== 'none'

/** Lists the judged hours of days (in order), newest first. */
export const listJudgedHours = (
  days: readonly HealthDay[],
): { day: LocalDay; hour: number; state: HealthDay['states'][number] }[] =>
  days
    .flatMap(({ day, states }) => states.map((state, hour) => ({ day, hour, state })))
    .filter(({ state }) => isJudged(state))
    .toReversed()

// The local hours that a query of measures selects, their keys, and whether feeds had data for them.
import { civilClock, startOfDay } from '#contract/civil-clock.ts'
import { type MetricDimension, type MetricsResponse, timeDimensions } from '#contract/metrics.ts'
import {
  addDays,
  dayFromNumber,
  dayNumber,
  getWeekday,
  hourMs,
  hoursOfRange,
  type LocalDay,
} from '#contract/period.ts'
import { judgeDay } from '#server/health/figures/health-days.ts'
import type { ReportSelection } from '#server/fleet/reports/read-report-facts.ts'
import { computeRatio } from './measure-values.ts'

/** Offsets of time zones are multiples of 15 minutes, so the local hour changes only at these steps. */
const clockStepMs = hourMs / 4
/** Minutes after which an hour without records counts as missing. */
const promisedMinutes = 60

export const isTimeDimension = (dimension: MetricDimension): boolean =>
  (timeDimensions as readonly string[]).includes(dimension)

/** A local hour that a query selects. */
export interface SelectedHour {
  day: LocalDay
  hour: number
  /** Elapsed time of the hour, ms. */
  ms: number
}

/** Returns all selected hours that have begun, in order. Hours repeated by the clock occur twice. */
export function listSelectedHours(selection: ReportSelection, timezone: string, now: number): SelectedHour[] {
  const clock = civilClock(timezone)
  const hours = new Set(hoursOfRange(selection.hours))
  const selectedHours: SelectedHour[] = []
  for (let dayIndex = dayNumber(selection.first); dayIndex <= dayNumber(selection.last); dayIndex++) {
    const day = dayFromNumber(dayIndex)
    if (selection.weekdays.length && !selection.weekdays.includes(getWeekday(day))) continue
    const end = Math.min(startOfDay(dayFromNumber(dayIndex + 1), timezone), now)
    for (let ms = startOfDay(day, timezone); ms < end;) {
      const next = Math.min((Math.floor(ms / clockStepMs) + 1) * clockStepMs, end)
      const { hour } = clock.local(ms)
      const lastHour = selectedHours.at(-1)
      if (hours.has(hour)) {
        if (lastHour?.day === day && lastHour.hour === hour && lastHour.ms < hourMs) lastHour.ms += next - ms
        else selectedHours.push({ day, hour, ms: next - ms })
      }
      ms = next
    }
  }
  return selectedHours
}

const hourKeys: Readonly<Record<(typeof timeDimensions)[number], (hour: SelectedHour) => string>> = {
  hour: ({ day, hour }) => `${day}T${String(hour).padStart(2, '0')}`,
  day: ({ day }) => day,
  week: ({ day }) => addDays(day, 1 - getWeekday(day)),
  month: ({ day }) => `${day.slice(0, 7)}-01`,
  hour_of_day: ({ hour }) => String(hour),
  day_of_week: ({ day }) => String(getWeekday(day)),
}

/** Returns a function that joins the values of an hour for the dimensions of time. */
export function makeTimeKey(dimensions: readonly MetricDimension[]): (hour: SelectedHour) => string {
  const times = dimensions.filter(isTimeDimension) as (typeof timeDimensions)[number][]
  return (hour) => joinKeys(times.map((dimension) => hourKeys[dimension](hour)))
}

/** Returns the key of a group: its values of all dimensions. */
export const joinKeys = (keys: readonly string[]): string => keys.join('\t')

/** How much of a selection feeds cover. A gap is an hour without data in a feed that usually has some. */
export interface FeedCoverage {
  coverage: MetricsResponse['coverage']
  /** Whether an operator (by default any of the selection) has no gap in an hour. */
  isKnown(hour: SelectedHour, operator?: string): boolean
}

/** Finds gaps in the feeds of a selection. @param records hourly numbers of records by operator and day. */
export function listFeeds(
  records: ReadonlyMap<string, ReadonlyMap<LocalDay, number[]>>,
  first: LocalDay,
  hours: readonly SelectedHour[],
  { timezone, now }: { timezone: string; now: number },
): FeedCoverage {
  const operators = [...records].flatMap(([operator, table]) =>
    [...table.keys()].some((day) => day >= first) ? [operator] : [],
  )
  const days = [...new Set(hours.map(({ day }) => day))]
  const statesByOperator = new Map<string, Map<LocalDay, string[]>>()
  const coverage = operators.toSorted().map((operator) => {
    const table = records.get(operator) ?? new Map<LocalDay, number[]>()
    // An operator with trips only from files has no feed.
    const hasFeed = [...table.values()].some((counts) => counts.some((count) => count > 0))
    const states = new Map<LocalDay, string[]>()
    if (hasFeed)
      for (const day of days)
        states.set(day, judgeDay(table, day, { timezone, at: now, promisedMinutes }).states)
    statesByOperator.set(operator, states)
    if (!hasFeed) return { operator, share: null }
    const known = hours.map(({ day, hour }) => states.get(day)?.[hour]).filter((state) => state !== 'ahead')
    return { operator, share: computeRatio(known.filter((state) => state !== 'gap').length, known.length) }
  })
  const isGap = (operator: string, { day, hour }: SelectedHour): boolean =>
    statesByOperator.get(operator)?.get(day)?.[hour] === 'gap'
  return {
    coverage,
    isKnown: (hour, operator) =>
      operator === undefined ? operators.some((slug) => !isGap(slug, hour)) : !isGap(operator, hour),
  }
}

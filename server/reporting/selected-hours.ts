// The local hours that a question about measures selects, how they are keyed, and where feeds had nothing in them.
import { civilClock, startOfDay } from '#contract/civil-clock.ts'
import { type MetricDimension, type MetricsAnswer, timeDimensions } from '#contract/metrics.ts'
import { dayFromNumber, dayNumber, hoursOfRange, type LocalDay, weekdayOf } from '#contract/period.ts'
import { healthDay } from '#server/health/figures/health-days.ts'
import type { ReportSelection } from '#server/fleet/reports/read-report-facts.ts'
import { ratio } from './measure-values.ts'

const hourMs = 3_600_000
/** An hour without records is missed once so many minutes have passed. */
const promisedMinutes = 60

export const isTime = (dimension: MetricDimension): boolean =>
  (timeDimensions as readonly string[]).includes(dimension)

/** A local hour that a question selects, until the present. */
export interface SelectedHour {
  day: LocalDay
  hour: number
  ms: number
}

/** Every hour of the selection that has begun, in order; a repeated hour comes twice. */
export function selectedHours(selection: ReportSelection, timezone: string, now: number): SelectedHour[] {
  const clock = civilClock(timezone)
  const hours = new Set(hoursOfRange(selection.hours))
  const found: SelectedHour[] = []
  for (let day = dayNumber(selection.first); day <= dayNumber(selection.last); day++) {
    const name = dayFromNumber(day)
    if (selection.weekdays.length && !selection.weekdays.includes(weekdayOf(name))) continue
    const end = Math.min(startOfDay(dayFromNumber(day + 1), timezone), now)
    for (let at = startOfDay(name, timezone); at < end;) {
      const next = Math.min((Math.floor(at / (hourMs / 4)) + 1) * (hourMs / 4), end)
      const { hour } = clock.local(at)
      const last = found.at(-1)
      if (hours.has(hour)) {
        if (last?.day === name && last.hour === hour && last.ms < hourMs) last.ms += next - at
        else found.push({ day: name, hour, ms: next - at })
      }
      at = next
    }
  }
  return found
}

const keyOfHour: Readonly<Record<(typeof timeDimensions)[number], (hour: SelectedHour) => string>> = {
  hour: ({ day, hour }) => `${day}T${String(hour).padStart(2, '0')}`,
  day: ({ day }) => day,
  week: ({ day }) => dayFromNumber(dayNumber(day) - weekdayOf(day) + 1),
  month: ({ day }) => `${day.slice(0, 7)}-01`,
  hour_of_day: ({ hour }) => String(hour),
  day_of_week: ({ day }) => String(weekdayOf(day)),
}

/** The key of an hour among the groups of some dimensions: its keys of time, joined. */
export function timeKey(dimensions: readonly MetricDimension[]): (hour: SelectedHour) => string {
  const times = dimensions.filter(isTime) as (typeof timeDimensions)[number][]
  return (hour) => joined(times.map((each) => keyOfHour[each](hour)))
}

export const joined = (keys: readonly string[]): string => keys.join('\t')

/** Feeds of a selection: how much of it they cover, and on which hours an operator's feed had nothing though it usually has. */
export interface Feeds {
  coverage: MetricsAnswer['coverage']
  /** Whether any of the operators (all of the selection by default) has data in an hour, or quietly nothing. */
  isKnown(hour: SelectedHour, operator?: string): boolean
}

export function findFeeds(
  records: ReadonlyMap<string, ReadonlyMap<LocalDay, number[]>>,
  first: LocalDay,
  hours: readonly SelectedHour[],
  { timezone, now }: { timezone: string; now: number },
): Feeds {
  const operators = [...records].flatMap(([operator, table]) =>
    [...table.keys()].some((day) => day >= first) ? [operator] : [],
  )
  const days = [...new Set(hours.map(({ day }) => day))]
  const statesOf = new Map<string, Map<LocalDay, string[]>>()
  const coverage = operators.toSorted().map((operator) => {
    const table = records.get(operator) ?? new Map<LocalDay, number[]>()
    // Trips of files alone are no feed.
    const hasFeed = [...table.values()].some((counts) => counts.some((count) => count > 0))
    const states = new Map<LocalDay, string[]>()
    if (hasFeed)
      for (const day of days)
        states.set(day, healthDay(table, day, { timezone, at: now, promisedMinutes }).states)
    statesOf.set(operator, states)
    if (!hasFeed) return { operator, share: null }
    const known = hours.map(({ day, hour }) => states.get(day)?.[hour]).filter((each) => each !== 'ahead')
    return { operator, share: ratio(known.filter((each) => each !== 'gap').length, known.length) }
  })
  const isGap = (operator: string, { day, hour }: SelectedHour): boolean =>
    statesOf.get(operator)?.get(day)?.[hour] === 'gap'
  return {
    coverage,
    isKnown: (hour, operator) =>
      operator === undefined ? operators.some((each) => !isGap(each, hour)) : !isGap(operator, hour),
  }
}

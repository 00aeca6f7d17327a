import { dayNumber, dayFromNumber, startOfMonth, type LocalDay } from '#contract/period.ts'
import type { MetricComparison } from '#web/kit/metric-tile.tsx'
import { day, flag, orderDays } from '#web/shell/search-params.ts'
import type { Period } from './period.ts'

/** URL parameters of a second period, and whether it is shown beside the first or as the difference. */
export const comparisonParams = {
  compare_start_date: day,
  compare_end_date: day,
  side_by_side: flag,
  percent: flag,
}
/** The state of `comparisonParams`. */
export interface ComparisonState {
  compare_start_date?: LocalDay | undefined
  compare_end_date?: LocalDay | undefined
  side_by_side?: true | undefined
  percent?: true | undefined
}

/** Rule for `comparisonParams`: orders the days, and drops the other parameters without them. */
export function orderComparison<S extends ComparisonState>(state: S): S {
  const ordered = orderDays('compare_start_date', 'compare_end_date')(state)
  return ordered.compare_start_date === undefined
    ? { ...ordered, side_by_side: undefined, percent: undefined }
    : ordered
}

/** Returns the second period; null if there is none. */
export const comparedPeriod = ({ compare_start_date, compare_end_date }: ComparisonState): Period | null =>
  compare_start_date !== undefined && compare_end_date !== undefined
    ? { start_date: compare_start_date, end_date: compare_end_date }
    : null

/** Returns the number of calendar months of a period; 0 if it does not consist of full months. */
export function countFullMonths({ start_date, end_date }: Period): number {
  const next = dayFromNumber(dayNumber(end_date) + 1)
  if (!start_date.endsWith('-01') || !next.endsWith('-01')) return 0
  const toMonthNumber = (day: LocalDay): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  return toMonthNumber(next) - toMonthNumber(start_date)
}

/** Returns the period immediately before, with the same number of full months, else of days. */
export function periodBefore(period: Period): Period {
  const first = dayNumber(period.start_date)
  const months = countFullMonths(period)
  return {
    start_date: months
      ? startOfMonth(period.start_date, months)
      : dayFromNumber(2 * first - dayNumber(period.end_date) - 1),
    end_date: dayFromNumber(first - 1),
  }
}

/** Returns the same days of the previous year; full months remain full months. */
export function yearBefore(period: Period): Period {
  const oneYearEarlier = (day: LocalDay): LocalDay => {
    const year = String(Number(day.slice(0, 4)) - 1).padStart(4, '0')
    return day.endsWith('-02-29') ? `${year}-02-28` : `${year}${day.slice(4)}`
  }
  const { start_date, end_date } = period
  const dayAfter = dayFromNumber(dayNumber(end_date) + 1)
  return {
    start_date: oneYearEarlier(start_date),
    // The last day of a month is found from the first of the next: February has 28 or 29 days.
    end_date: countFullMonths(period)
      ? dayFromNumber(dayNumber(oneYearEarlier(dayAfter)) - 1)
      : oneYearEarlier(end_date),
  }
}

/** The first and last day with data; null if there is none. */
export interface DataDays {
  first_day: LocalDay | null
  last_day: LocalDay | null
}

/** Whether all, some or none of the days of a period may have data. */
export function getDataCoverage(
  { start_date, end_date }: Period,
  { first_day, last_day }: DataDays,
): 'all' | 'some' | 'none' {
  if (first_day === null || last_day === null || end_date < first_day || start_date > last_day) return 'none'
  return start_date < first_day ? 'some' : 'all'
}

/** The input of `toComparison`. */
export interface ComparedMetric {
  key: string
  /** The value in the compared period. */
  value: MetricComparison['value']
  period: Period
  compared: Period
  /** The first day with data; null if there is none, undefined while it is unknown. */
  firstDay: LocalDay | null | undefined
  getName: (period: Period) => string
}

/** A metric in another period. It has no value unless data covers both periods, because a change would mislead. */
export function toComparison(metric: ComparedMetric): MetricComparison {
  const { key, value, period, compared, firstDay = null, getName } = metric
  const getCoverage = (days: Period) =>
    getDataCoverage(days, { first_day: firstDay, last_day: days.end_date })
  const uncovered = [compared, period].find((days) => getCoverage(days) !== 'all')
  return uncovered
    ? { key, name: getName(uncovered), value: null, isPartial: getCoverage(uncovered) === 'some' }
    : { key, name: getName(compared), value }
}

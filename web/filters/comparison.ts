import { dayNumber, dayFromNumber, type LocalDay } from '#contract/period.ts'
import { day, flag, orderDays } from '#web/shell/search-params.ts'
import type { Period } from './period.ts'

/** URL parameters of a second period, and whether it is shown beside the first or as the difference. */
export const comparisonParams = {
  compare_start_date: day,
  compare_end_date: day,
  side_by_side: flag,
  percent: flag,
}
export interface ComparisonState {
  compare_start_date?: LocalDay | undefined
  compare_end_date?: LocalDay | undefined
  side_by_side?: true | undefined
  percent?: true | undefined
}

/** Rule for `comparisonParams`: the days are in order, and the rest depends on them. */
export function orderComparison<S extends ComparisonState>(state: S): S {
  const ordered = orderDays('compare_start_date', 'compare_end_date')(state)
  return ordered.compare_start_date === undefined
    ? { ...ordered, side_by_side: undefined, percent: undefined }
    : ordered
}

/** The period that the first is compared with; null if there is none. */
export const comparedPeriod = ({ compare_start_date, compare_end_date }: ComparisonState): Period | null =>
  compare_start_date !== undefined && compare_end_date !== undefined
    ? { start_date: compare_start_date, end_date: compare_end_date }
    : null

/** As many days, immediately before. */
export function periodBefore({ start_date, end_date }: Period): Period {
  const length = dayNumber(end_date) - dayNumber(start_date) + 1
  return {
    start_date: dayFromNumber(dayNumber(start_date) - length),
    end_date: dayFromNumber(dayNumber(start_date) - 1),
  }
}

/** The same days of the year before; February 29 becomes February 28. */
export function yearBefore({ start_date, end_date }: Period): Period {
  const back = (day: LocalDay): LocalDay => {
    const year = String(Number(day.slice(0, 4)) - 1).padStart(4, '0')
    return day.endsWith('-02-29') ? `${year}-02-28` : `${year}${day.slice(4)}`
  }
  return { start_date: back(start_date), end_date: back(end_date) }
}

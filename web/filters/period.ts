import { defaultPeriod, type LocalDay } from '#contract/period.ts'
import { getPresetRange, type RangePreset } from '#web/kit/dates/preset-range.ts'
import { day, enumParam, orderDays } from '#web/shell/search-params.ts'

/** First and last day, both included. */
export interface Period {
  start_date: LocalDay
  end_date: LocalDay
}

const kitPresets = {
  this_month: 'thisMonth',
  last_month: 'lastMonth',
  this_quarter: 'thisQuarter',
  last_quarter: 'lastQuarter',
  last_week: 'lastWeek',
  last_7_days: 'last7Days',
  last_30_days: 'last30Days',
} as const satisfies Record<string, RangePreset>
/** A period relative to today. */
export type PeriodPreset = keyof typeof kitPresets
export const periodPresets = Object.keys(kitPresets) as PeriodPreset[]

/** URL parameters of a period: a preset, or days; without them, the default of the screen. */
export const periodParams = { period: enumParam(periodPresets), start_date: day, end_date: day }
interface PeriodState {
  period?: PeriodPreset | undefined
  start_date?: LocalDay | undefined
  end_date?: LocalDay | undefined
}
/** Rule for `periodParams`: orders the days, which override a preset. */
export function orderPeriod<S extends PeriodState>(state: S): S {
  const ordered = orderDays('start_date', 'end_date')(state)
  return ordered.start_date === undefined ? ordered : { ...ordered, period: undefined }
}

export function presetPeriod(preset: PeriodPreset, today: LocalDay): Period {
  const { from, to } = getPresetRange(kitPresets[preset], today)
  return { start_date: from, end_date: to }
}

/** Returns the days of the URL state; relative periods depend on today. */
export function selectedPeriod(
  { period, start_date, end_date }: PeriodState,
  today: LocalDay,
  getDefault: (today: LocalDay) => Period = defaultPeriod,
): Period {
  if (start_date !== undefined && end_date !== undefined) return { start_date, end_date }
  return period ? presetPeriod(period, today) : getDefault(today)
}

/** Returns the URL state of days: nothing for the default, a preset if one matches, else the days. */
export function periodState(
  { start_date, end_date }: Period,
  today: LocalDay,
  getDefault: (today: LocalDay) => Period = defaultPeriod,
): PeriodState {
  const isSame = (other: Period): boolean => other.start_date === start_date && other.end_date === end_date
  const noDays = { start_date: undefined, end_date: undefined }
  if (isSame(getDefault(today))) return { period: undefined, ...noDays }
  const period = periodPresets.find((preset) => isSame(presetPeriod(preset, today)))
  return period ? { period, ...noDays } : { period, start_date, end_date }
}

/** Returns the first and last day with data if one of them is outside of the shown period, else null. */
export const findHiddenDays = (
  { start_date, end_date }: Period,
  first: LocalDay | null | undefined,
  last: LocalDay | null | undefined,
): Period | null =>
  first && last && (first < start_date || last > end_date) ? { start_date: first, end_date: last } : null

/** Formats a period: `Mar 1 – 31, 2026`. */
export function formatPeriod({ start_date, end_date }: Period, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return format.formatRange(Date.parse(start_date), Date.parse(end_date))
}

interface PartialOptions {
  /** First day of the period. */
  start: LocalDay
  /** The day that is not over, or null if the period has none. */
  unfinishedDay: LocalDay | null
  language: string
}

/**
 * The days, weeks or months of a chart that the period or the present cuts off, by the first day of each:
 * the index of the unfinished one, and the first day of the period as text if its first week or month begins
 * earlier.
 */
export function partialBuckets(
  times: readonly string[],
  grain: 'day' | 'week' | 'month',
  { start, unfinishedDay, language }: PartialOptions,
): { inProgressIndex: number | undefined; dataStart: string | undefined } {
  const findBucket = (day: string): number => {
    if (grain === 'week') return times.findLastIndex((time) => time <= day)
    return times.indexOf(grain === 'month' ? `${day.slice(0, 7)}-01` : day)
  }
  const unfinishedIndex = unfinishedDay === null ? -1 : findBucket(unfinishedDay)
  const [first] = times
  return {
    inProgressIndex: unfinishedIndex < 0 ? undefined : unfinishedIndex,
    dataStart:
      first === undefined || first >= start
        ? undefined
        : new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
            Date.parse(start),
          ),
  }
}

/** Returns a day if the period contains it, else null. */
export const dayWithin = ({ start_date, end_date }: Period, day: LocalDay): LocalDay | null =>
  start_date <= day && day <= end_date ? day : null

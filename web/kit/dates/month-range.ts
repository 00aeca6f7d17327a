import { dayNumber, dayOfNumber, startOfMonth, type LocalDay } from '#contract/period.ts'
import type { RangeEnd } from './date-range.ts'

/** Whole months by their first and last day, cut at the earliest and the latest day. */
export interface MonthRange {
  from: LocalDay
  to: LocalDay
}

export interface MonthBounds {
  minDate: LocalDay
  maxDate: LocalDay
}

export const earliestMonth: LocalDay = '2010-01-01'

const endOfMonth = (day: LocalDay): LocalDay => dayOfNumber(dayNumber(startOfMonth(day, -1)) - 1)
const clamp = (day: LocalDay, { minDate, maxDate }: MonthBounds): LocalDay =>
  day < minDate ? minDate : day > maxDate ? maxDate : day
export const monthOf = (year: number, month: number): LocalDay =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`

/** A month chosen for one end: the nearest within the bounds, and the other end moves along where it would be passed. */
export function chooseMonth(
  range: MonthRange,
  end: RangeEnd,
  year: number,
  month: number,
  bounds: MonthBounds,
): MonthRange {
  const within = clamp(monthOf(year, month), bounds)
  const chosen = { from: clamp(startOfMonth(within), bounds), to: clamp(endOfMonth(within), bounds) }
  const kept = { from: clamp(range.from, bounds), to: clamp(range.to, bounds) }
  if (end === 'from')
    return { from: chosen.from, to: kept.to < chosen.from ? clamp(endOfMonth(chosen.from), bounds) : kept.to }
  return { from: kept.from > chosen.to ? clamp(startOfMonth(chosen.to), bounds) : kept.from, to: chosen.to }
}

export const isMonthOutside = (year: number, month: number, { minDate, maxDate }: MonthBounds): boolean =>
  monthOf(year, month) > maxDate || endOfMonth(monthOf(year, month)) < minDate

export function yearsWithin({ minDate, maxDate }: MonthBounds): number[] {
  const [first, last] = [Number(minDate.slice(0, 4)), Number(maxDate.slice(0, 4))]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => first + k)
}

import type { LocalDay } from '#contract/period.ts'
import type { DateRange, RangeEnd } from './date-range.ts'
import type { RangeMode } from './range-mode.ts'

/** A day chosen for an end. One on the wrong side of the other end becomes the start, and the end is open again. */
export function pickDay(
  range: DateRange,
  mode: RangeMode,
  end: RangeEnd,
  day: LocalDay,
): { range: DateRange; set: RangeEnd } {
  if (mode === 'singleDay') return { range: { from: day, to: day }, set: 'from' }
  if (mode === 'noStart') return { range: { from: null, to: day }, set: 'to' }
  if (mode === 'noEnd') return { range: { from: day, to: null }, set: 'from' }
  const isTurned =
    end === 'from' ? range.to !== null && day > range.to : range.from !== null && day < range.from
  if (isTurned) return { range: { from: day, to: null }, set: 'from' }
  return { range: { ...range, [end]: day }, set: end }
}

/** An end without a day; a single day has only one to lose. */
export const clearEnd = (range: DateRange, mode: RangeMode, end: RangeEnd): DateRange =>
  mode === 'singleDay' ? { from: null, to: null } : { ...range, [end]: null }

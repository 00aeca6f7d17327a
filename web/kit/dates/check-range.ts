import { dayNumber, type LocalDay } from '#contract/period.ts'
import { rangeEnds, type DateRange, type RangeEnd } from './date-range.ts'

/** What a range of days must fulfill. */
export interface RangeRules {
  /** Both dates are required. */
  requireDates?: boolean
  /** Maximum number of days in a range, first and last included. */
  rangeLimit?: number
  minDate?: LocalDay
  maxDate?: LocalDay
}

/** Why a range is invalid; `format` is also the fault of reversed days, `limit` of too many. */
export type RangeFault = 'required' | 'format' | 'limit' | 'early' | 'late'
export type RangeFaults = Partial<Record<RangeEnd, RangeFault>>

/** Returns a fault at each end that has it. */
const createFaults = (fault: RangeFault, hasFault: (end: RangeEnd) => boolean): RangeFaults =>
  Object.fromEntries(rangeEnds.filter(hasFault).map((end) => [end, fault]))
const countDays = (from: LocalDay, to: LocalDay): number => dayNumber(to) - dayNumber(from) + 1

/** Validates a range: returns the first failing check at the ends that fail it. */
export function checkRange(
  range: DateRange,
  { requireDates = false, rangeLimit, minDate, maxDate }: RangeRules,
): RangeFaults {
  const { from, to } = range
  const hasDay = (end: RangeEnd, test: (day: LocalDay) => boolean): boolean =>
    range[end] !== null && test(range[end])
  const isReversed = from !== null && to !== null && from > to
  const isTooLong =
    rangeLimit !== undefined && from !== null && to !== null && countDays(from, to) > rangeLimit
  const checks: (() => RangeFaults)[] = [
    () => createFaults('required', (end) => requireDates && range[end] === null),
    () => createFaults('format', (end) => end === 'to' && isReversed),
    () => createFaults('limit', (end) => end === 'to' && isTooLong),
    () => createFaults('early', (end) => minDate !== undefined && hasDay(end, (day) => day < minDate)),
    () => createFaults('late', (end) => maxDate !== undefined && hasDay(end, (day) => day > maxDate)),
  ]
  return checks.map((check) => check()).find((faults) => Object.keys(faults).length > 0) ?? {}
}

import { dayNumber, type LocalDay } from '#contract/period.ts'
import { rangeEnds, type DateRange, type RangeEnd } from './date-range.ts'

export interface RangeRules {
  /** Both dates are required. */
  requireDates?: boolean
  /** Maximum number of days in a range, first and last included. */
  rangeLimit?: number
  minDate?: LocalDay
  maxDate?: LocalDay
}

export type RangeFault = 'required' | 'format' | 'limit' | 'early' | 'late'
export type RangeFaults = Partial<Record<RangeEnd, RangeFault>>

const faultsAt = (fault: RangeFault, isAt: (end: RangeEnd) => boolean): RangeFaults =>
  Object.fromEntries(rangeEnds.filter(isAt).map((end) => [end, fault]))
const daysIn = (from: LocalDay, to: LocalDay): number => dayNumber(to) - dayNumber(from) + 1

/** Validates a range: returns the first failing check at the ends that fail it. */
export function checkRange(
  range: DateRange,
  { requireDates = false, rangeLimit, minDate, maxDate }: RangeRules,
): RangeFaults {
  const { from, to } = range
  const hasDay = (end: RangeEnd, test: (day: LocalDay) => boolean): boolean =>
    range[end] !== null && test(range[end])
  const checks: (() => RangeFaults)[] = [
    () => faultsAt('required', (end) => requireDates && range[end] === null),
    () => faultsAt('format', (end) => end === 'to' && from !== null && to !== null && from > to),
    () =>
      faultsAt(
        'limit',
        (end) =>
          end === 'to' &&
          rangeLimit !== undefined &&
          from !== null &&
          to !== null &&
          daysIn(from, to) > rangeLimit,
      ),
    () => faultsAt('early', (end) => minDate !== undefined && hasDay(end, (day) => day < minDate)),
    () => faultsAt('late', (end) => maxDate !== undefined && hasDay(end, (day) => day > maxDate)),
  ]
  return checks.map((check) => check()).find((faults) => Object.keys(faults).length > 0) ?? {}
}

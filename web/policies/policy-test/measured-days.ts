import type { ComplianceReason } from '#contract/compliance.ts'
import { type LocalDay, getWeekday } from '#contract/period.ts'
import type { DayTally, OperatorTally } from '../results/tally-records.ts'

/** Reasons why a policy does not apply on a day. */
const notAppliedReasons: readonly ComplianceReason[] = ['not_in_force', 'not_on_this_day']

/** The data that the results of a policy test are based on. */
export interface MeasuredDays {
  /** Days on which the policy applies to at least one operator. */
  days: number
  kind: 'weekend' | 'weekday' | 'day'
  /** Number of operators with at least one measured day. */
  operators: number
  /** Number of measured days of all operators. */
  measured: number
  /** Whether every operator was measured on every day. */
  isComplete: boolean
  /** Operators without a measured day, including those that the response lacks. */
  without: string[]
  /** Operators with unmeasured days or an unfinished one. */
  partial: { operator: string; missing: number; isDayOpen: boolean }[]
}

/** Returns what all of these ISO weekdays are. */
function getDayKind(weekdays: readonly number[]): MeasuredDays['kind'] {
  if (weekdays.every((day) => day >= 6)) return 'weekend'
  return weekdays.every((day) => day <= 5) ? 'weekday' : 'day'
}

const appliedDays = ({ days }: OperatorTally): LocalDay[] =>
  [...days.values()]
    .filter(({ records }) => records.some(({ reason_code: reason }) => !notAppliedReasons.includes(reason)))
    .map(({ date }) => date)

/** Whether a day has no result yet because it is unfinished. */
const isOpen = ({ status, records }: DayTally): boolean =>
  status === 'not_applicable' && records.some(({ reason_code: reason }) => reason === 'day_goes_on')

/**
 * Returns the data that tallies are based on.
 *
 * @param operators Those to which the policy applies
 * @param isLimited Whether it applies only on some weekdays
 */
export function measuredDays(
  tallies: readonly OperatorTally[],
  operators: readonly string[],
  isLimited: boolean,
): MeasuredDays {
  const appliedDates = new Set(tallies.flatMap(appliedDays))
  const weekdays = [...appliedDates].map(getWeekday)
  const countMeasured = ({ nonCompliantDays, compliantDays }: OperatorTally): number =>
    nonCompliantDays + compliantDays
  const measuredTallies = tallies.filter((tally) => countMeasured(tally) > 0)
  const reported = new Set(measuredTallies.map(({ operator }) => operator))
  const measured = measuredTallies.reduce((sum, tally) => sum + countMeasured(tally), 0)
  return {
    days: appliedDates.size,
    kind: isLimited ? getDayKind(weekdays) : 'day',
    operators: measuredTallies.length,
    measured,
    isComplete: measured === appliedDates.size * measuredTallies.length,
    without: [...new Set([...operators, ...tallies.map(({ operator }) => operator)])].filter(
      (operator) => !reported.has(operator),
    ),
    partial: measuredTallies
      .map((tally) => {
        const openDayCount = [...tally.days.values()].filter(isOpen).length
        return {
          operator: tally.operator,
          missing: appliedDates.size - countMeasured(tally) - openDayCount,
          isDayOpen: openDayCount > 0,
        }
      })
      .filter(({ missing, isDayOpen }) => missing > 0 || isDayOpen),
  }
}

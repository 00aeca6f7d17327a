import { startOfMonth, type LocalDay } from '#contract/period.ts'

/** The first month that the calendar shows so that a day is in sight: of months without any day to choose as few as can be. */
export function shownMonth(day: LocalDay, months: number, maxDate?: LocalDay): LocalDay {
  const month = startOfMonth(day)
  const last = maxDate === undefined ? month : startOfMonth(maxDate, months - 1)
  return maxDate !== undefined && last < month ? last : month
}

/** Whether a day is in one of the months shown. */
export const isShown = (day: LocalDay, month: LocalDay, months: number): boolean =>
  day >= month && day < startOfMonth(month, -months)

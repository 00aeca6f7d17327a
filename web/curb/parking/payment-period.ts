import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import type { Period } from '#web/filters/period.ts'

/** Number of days of the default period. */
const defaultDays = 30

/** The default period of payment pages: 30 days up to today, or up to the last payment if that is older. */
export const paymentPeriod =
  (lastDay: LocalDay | null) =>
  (today: LocalDay): Period => {
    const end = lastDay !== null && lastDay < today ? lastDay : today
    return { start_date: dayFromNumber(dayNumber(end) - defaultDays + 1), end_date: end }
  }

import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import type { Period } from '#web/filters/period.ts'

/** Number of days of the default period. */
const defaultDays = 30

/** Returns the default period of payment pages: 30 days up to today or, if older, the last payment. */
export const getPaymentPeriod =
  (lastDay: LocalDay | null) =>
  (today: LocalDay): Period => {
    const end = lastDay !== null && lastDay < today ? lastDay : today
    return { start_date: dayFromNumber(dayNumber(end) - defaultDays + 1), end_date: end }
  }

import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import type { Period } from '#web/filters/period.ts'

/** Days that are shown unless somebody chooses others: the last ones with payments. */
const defaultDays = 30

/** The default period of pages of payments: 30 days up to today, or to the last payment where that is older. */
export const paymentPeriod =
  (lastDay: LocalDay | null) =>
  (today: LocalDay): Period => {
    const end = lastDay !== null && lastDay < today ? lastDay : today
    return { start_date: dayFromNumber(dayNumber(end) - defaultDays + 1), end_date: end }
  }

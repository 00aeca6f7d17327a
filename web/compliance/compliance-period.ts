import { defaultCompliancePeriod } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Period } from '#web/evaluation/period-presets.ts'

interface Chosen {
  startDate?: LocalDay | undefined
  endDate?: LocalDay | undefined
}

/** The days that the address bar means today: without any the last seven through today. */
export const compliancePeriod = ({ startDate, endDate }: Chosen, today: LocalDay): Period =>
  startDate !== undefined && endDate !== undefined
    ? { start_date: startDate, end_date: endDate }
    : defaultCompliancePeriod(today)

/** How to remember days: as nothing where they are the usual ones, which move on with today. */
export function rememberDays({ start_date: start, end_date: end }: Period, today: LocalDay): Chosen {
  const usual = defaultCompliancePeriod(today)
  const isUsual = start === usual.start_date && end === usual.end_date
  return isUsual ? { startDate: undefined, endDate: undefined } : { startDate: start, endDate: end }
}

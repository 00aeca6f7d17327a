import { dayFromNumber, dayNumber, type LocalDay, startOfMonth } from '#contract/period.ts'
import type { Period } from '#web/filters/period.ts'

/** Returns the same part of the month `months` before today's: its first day to the same day of the month. */
export function getSameDays(today: LocalDay, months: number): Period {
  const start = startOfMonth(today, months)
  const lastDay = dayNumber(startOfMonth(today, months - 1)) - 1
  const end = Math.min(lastDay, dayNumber(start) + Number(today.slice(8)) - 1)
  return { start_date: start, end_date: dayFromNumber(end) }
}

/** Returns the request for the fees of the month `months` before today's, up to the same day of the month. */
export const feesOfMonth = (regionId: string, today: LocalDay, months: number) => ({
  params: { region_id: regionId },
  query: getSameDays(today, months),
})

import { dayFromNumber, dayNumber, type LocalDay, startOfMonth } from '#contract/period.ts'
import type { Period } from '#web/filters/period.ts'

/** The first days of the month that is `months` before, as many as of this month are begun. */
function sameDays(today: LocalDay, months: number): Period {
  const start = startOfMonth(today, months)
  const last = dayNumber(startOfMonth(today, months - 1)) - 1
  const end = Math.min(last, dayNumber(start) + Number(today.slice(8)) - 1)
  return { start_date: start, end_date: dayFromNumber(end) }
}

/** The question of the fees of a month that is `months` before, up to the same day. */
export const feesOfMonth = (regionId: string, today: LocalDay, months: number) => ({
  params: { region_id: regionId },
  query: sameDays(today, months),
})

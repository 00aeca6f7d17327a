import type { LocalDay } from '#contract/period.ts'
import { periodText } from '#web/evaluation/period-text.ts'

/** The first and the last of some days, as they are read; empty where there are none. */
export const rangeOfDays = (days: readonly { date: LocalDay }[], language: string): string => {
  const [first, last] = [days[0], days.at(-1)]
  return first && last ? periodText({ start_date: first.date, end_date: last.date }, language) : ''
}

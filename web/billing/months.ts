import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'

export interface Month {
  start_date: LocalDay
  end_date: LocalDay
}

/** Returns the calendar month `distance` months before that of `today`. */
export function monthBefore(today: LocalDay, distance: number): Month {
  const months = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1 - distance
  const toFirstDay = (count: number): LocalDay =>
    `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}-01`
  return { start_date: toFirstDay(months), end_date: dayFromNumber(dayNumber(toFirstDay(months + 1)) - 1) }
}

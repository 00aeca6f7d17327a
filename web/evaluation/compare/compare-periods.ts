import { dayNumber, dayFromNumber, type LocalDay } from '#contract/period.ts'
import type { Period } from '../period-presets.ts'

/** As many days, right before. */
export function periodBefore({ start_date, end_date }: Period): Period {
  const length = dayNumber(end_date) - dayNumber(start_date) + 1
  return {
    start_date: dayFromNumber(dayNumber(start_date) - length),
    end_date: dayFromNumber(dayNumber(start_date) - 1),
  }
}

/** The same days of the calendar, a year before; the 29th of February becomes the 28th. */
export function yearBefore({ start_date, end_date }: Period): Period {
  const back = (day: LocalDay): LocalDay => {
    const year = String(Number(day.slice(0, 4)) - 1).padStart(4, '0')
    return day.endsWith('-02-29') ? `${year}-02-28` : `${year}${day.slice(4)}`
  }
  return { start_date: back(start_date), end_date: back(end_date) }
}

import { minutesOfDay, type TimeOfDay } from './time-of-day.ts'

export const longestTimeText = 5

/** What may be typed of a time. */
export const cleanTimeText = (text: string): string =>
  text.replaceAll(/[^\d:]/g, '').slice(0, longestTimeText)

/** The time that a text means: `9`, `9:30`, `930`; null where there is no figure. 24:00 stays, whatever else is beyond the day begins anew at 0. */
export function readTime(text: string, isHourOnly = false): TimeOfDay | null {
  if (!/\d/.test(text)) return null
  const [hours, minutes] = split(text.trim())
  const hour = Number(hours.replaceAll(/\D/g, ''))
  const minute = isHourOnly ? 0 : Number(minutes.replaceAll(/\D/g, ''))
  if (hour === 24 && minute === 0) return { hour, minute }
  const total = (hour * 60 + minute) % minutesOfDay
  return { hour: Math.floor(total / 60), minute: total % 60 }
}

/** Without a colon the last two of more than two figures are the minutes. */
function split(text: string): [string, string] {
  const colon = text.indexOf(':')
  if (colon !== -1) return [text.slice(0, colon), text.slice(colon + 1)]
  return text.length > 2 ? [text.slice(0, -2), text.slice(-2)] : [text, '']
}

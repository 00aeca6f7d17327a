import i18next from 'i18next'

/** A local time of day: hour 0 to 24, minute 0 to 60. 24:00 is the end of the day. */
export interface TimeOfDay {
  hour: number
  minute: number
}

export const minutesPerDay = 1440

const padTwo = (value: number): string => String(value).padStart(2, '0')

/**
 * Formats a time as `09:30`. Throws a RangeError for an hour outside of 0 to 24 or a minute outside of 0 to
 * 60.
 */
export function formatTime({ hour, minute }: TimeOfDay): string {
  if (!(hour >= 0 && hour <= 24)) throw new RangeError('Hour must be between 0 and 24')
  if (!(minute >= 0 && minute <= 60)) throw new RangeError('Minute must be between 0 and 60')
  return `${padTwo(hour)}:${padTwo(minute)}`
}

/** Formats a range of hours; without bounds it is the whole day. */
export function formatTimeRange(from: TimeOfDay | null, to: TimeOfDay | null): string {
  if (from !== null && to !== null) return `${formatTime(from)} – ${formatTime(to)}`
  if (from !== null) return i18next.t('kit:time.from', { time: formatTime(from) })
  return to === null ? i18next.t('kit:time.allDay') : i18next.t('kit:time.until', { time: formatTime(to) })
}

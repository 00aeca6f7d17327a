import i18next from 'i18next'

/** A time of the local day: hour 0 to 24, minute 0 to 60. 24:00 is the end of the day. */
export interface TimeOfDay {
  hour: number
  minute: number
}

export const minutesPerDay = 1440

const padTwo = (value: number): string => String(value).padStart(2, '0')

/** `09:30`. An hour outside of 0 to 24 or a minute outside of 0 to 60 is a mistake of the caller: a RangeError. */
export function formatTime({ hour, minute }: TimeOfDay): string {
  if (!(hour >= 0 && hour <= 24)) throw new RangeError('Hour must be between 0 and 24')
  if (!(minute >= 0 && minute <= 60)) throw new RangeError('Minute must be between 0 and 60')
  return `${padTwo(hour)}:${padTwo(minute)}`
}

/** Hours of a day as they are read; without bounds all of it. */
export function formatTimeRange(from: TimeOfDay | null, to: TimeOfDay | null): string {
  if (from !== null && to !== null) return `${formatTime(from)} – ${formatTime(to)}`
  if (from !== null) return i18next.t('kit:time.from', { time: formatTime(from) })
  return to === null ? i18next.t('kit:time.allDay') : i18next.t('kit:time.until', { time: formatTime(to) })
}

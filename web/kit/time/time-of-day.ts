import i18next from 'i18next'

/** A local time of day: hour 0 to 24, where 24:00 is the end of the day. Minute 60 is possible while typing. */
export interface TimeOfDay {
  hour: number
  minute: number
}

export const minutesPerDay = 1440

const padTwo = (value: number): string => String(value).padStart(2, '0')

/**
 * Formats a time for inputs and URLs: `09:30`.
 * @throws RangeError outside of 0 to 24 hours and 0 to 60 minutes
 */
export function formatClock({ hour, minute }: TimeOfDay): string {
  if (!(hour >= 0 && hour <= 24)) throw new RangeError('Hour must be between 0 and 24')
  if (!(minute >= 0 && minute <= 60)) throw new RangeError('Minute must be between 0 and 60')
  return `${padTwo(hour)}:${padTwo(minute)}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a formatter of times. Cached, because creating one takes far longer than formatting. */
function getFormat(minute: '2-digit' | undefined): Intl.DateTimeFormat {
  const language = i18next.language ?? 'en-US'
  const key = `${language} ${minute}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(language, { hour: 'numeric', minute, timeZone: 'UTC' })
    formats.set(key, format)
  }
  return format
}

/** Formats a time. The end of the day is 24:00 on a 24-hour clock, and midnight with AM and PM. */
function formatWith({ hour, minute }: TimeOfDay, format: Intl.DateTimeFormat): string {
  const text = format.format(Date.UTC(2024, 0, 1, hour, minute))
  return hour === 24 && format.resolvedOptions().hourCycle === 'h23' ? text.replace('00', '24') : text
}

/** Formats a time of day in the format of the language: `9:30 AM`, in Spanish `09:30`. */
export const formatTimeOfDay = (time: TimeOfDay): string => formatWith(time, getFormat('2-digit'))

/** Formats a full hour in the short format of the language: `9 AM`, in Spanish `09`. */
export const formatHourOfDay = (hour: number): string => formatWith({ hour, minute: 0 }, getFormat(undefined))

/** Converts minutes since midnight to a time of day. */
export const toTimeOfDay = (minutes: number): TimeOfDay => ({
  hour: Math.floor(minutes / 60),
  minute: minutes % 60,
})

/** Parses a time of the API: `09:30` or `09:30:00`. */
export function parseClock(clock: string): TimeOfDay {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return { hour, minute }
}

/** Formats two times of the API: `9:30 AM–5:00 PM`. */
export const formatClockRange = (from: string, until: string): string =>
  `${formatTimeOfDay(parseClock(from))}–${formatTimeOfDay(parseClock(until))}`

/** Formats a range of times; without bounds it is "All Day". */
export function formatTimeRange(from: TimeOfDay | null, to: TimeOfDay | null): string {
  if (from !== null && to !== null) return `${formatTimeOfDay(from)} – ${formatTimeOfDay(to)}`
  if (from !== null) return i18next.t('kit:time.from', { time: formatTimeOfDay(from) })
  return to === null
    ? i18next.t('kit:time.allDay')
    : i18next.t('kit:time.until', { time: formatTimeOfDay(to) })
}

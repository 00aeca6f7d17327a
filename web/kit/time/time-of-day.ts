import i18next from 'i18next'

/** A local time of day: hour 0 to 24, minute 0 to 60. 24:00 is the end of the day. */
export interface TimeOfDay {
  hour: number
  minute: number
}

export const minutesPerDay = 1440

const padTwo = (value: number): string => String(value).padStart(2, '0')

/**
 * Formats a time as inputs and addresses have it: `09:30`. Throws a RangeError for an hour outside of 0 to 24 or a minute outside of 0 to
 * 60.
 */
export function formatTime({ hour, minute }: TimeOfDay): string {
  if (!(hour >= 0 && hour <= 24)) throw new RangeError('Hour must be between 0 and 24')
  if (!(minute >= 0 && minute <= 60)) throw new RangeError('Minute must be between 0 and 60')
  return `${padTwo(hour)}:${padTwo(minute)}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** One formatter per language and form: to create one takes far longer than to format. */
function formatOf(minute: '2-digit' | undefined): Intl.DateTimeFormat {
  const language = i18next.language ?? 'en-US'
  const key = `${language} ${minute}`
  let format = formats.get(key)
  if (!format)
    formats.set(
      key,
      (format = new Intl.DateTimeFormat(language, { hour: 'numeric', minute, timeZone: 'UTC' })),
    )
  return format
}

/** The end of the day is 24:00 where hours count to 24, and midnight where they have AM and PM. */
function textOf({ hour, minute }: TimeOfDay, format: Intl.DateTimeFormat): string {
  const text = format.format(Date.UTC(2024, 0, 1, hour, minute))
  return hour === 24 && format.resolvedOptions().hourCycle === 'h23' ? text.replace('00', '24') : text
}

/** A time of day in the reader's form: `9:30 AM`, in Spanish `09:30`. */
export const timeText = (time: TimeOfDay): string => textOf(time, formatOf('2-digit'))

/** A whole hour in the reader's form, short: `9 AM`, in Spanish `09`. */
export const hourText = (hour: number): string => textOf({ hour, minute: 0 }, formatOf(undefined))

/** The minutes of a day as time of day. */
export const timeOfMinutes = (minutes: number): TimeOfDay => ({
  hour: Math.floor(minutes / 60),
  minute: minutes % 60,
})

/** `09:30` or `09:30:00`, as the API has it. */
export function parseClock(clock: string): TimeOfDay {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return { hour, minute }
}

/** Two times of the API as they are read: `9:30 AM–5:00 PM`. */
export const clockRangeText = (from: string, until: string): string =>
  `${timeText(parseClock(from))}–${timeText(parseClock(until))}`

/** A range of hours as it is read; without bounds it is the whole day. */
export function formatTimeRange(from: TimeOfDay | null, to: TimeOfDay | null): string {
  if (from !== null && to !== null) return `${timeText(from)} – ${timeText(to)}`
  if (from !== null) return i18next.t('kit:time.from', { time: timeText(from) })
  return to === null ? i18next.t('kit:time.allDay') : i18next.t('kit:time.until', { time: timeText(to) })
}

import { z } from 'zod'
import type { Language } from './identity.ts'
import { Weekday } from './period.ts'

/**
 * When a parking fee has the price of a line: between two local times on some weekdays, or for a range of parked
 * minutes. A null `end_duration` means “or longer”; a null time is midnight.
 */
export const LineRate = z
  .union([
    z.object({ days: z.array(Weekday), start_time: z.string().nullable(), end_time: z.string().nullable() }),
    z.object({ start_duration: z.number(), end_duration: z.number().nullable() }),
  ])
  .meta({ id: 'LineRate' })
export type LineRate = z.infer<typeof LineRate>

const words = {
  'en-US': {
    locale: 'en-US',
    upTo: (end: string) => `up to ${end}`,
    over: (start: string) => `over ${start}`,
    between: (start: string, end: string) => `${start} to ${end}`,
  },
  es: {
    locale: 'es-US-u-hc-h23',
    upTo: (end: string) => `hasta ${end}`,
    over: (start: string) => `más de ${start}`,
    between: (start: string, end: string) => `de ${start} a ${end}`,
  },
} as const satisfies Record<Language, object>

const formatMinutes = (minutes: number): string => (minutes % 60 ? `${minutes} min` : `${minutes / 60} h`)

/** Formats a time of day in a language. The end of the day is 24:00 on a 24-hour clock. */
function formatClock(time: string, language: Language): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const text = new Intl.DateTimeFormat(words[language].locale, {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
  })
    .format(Date.UTC(2024, 0, 1, hour, minute))
    .replaceAll('\u202F', ' ')
  return hour === 24 ? text.replace(/^00/, '24') : text
}

/** Formats weekdays with consecutive ones as a range: `Mon–Fri, Sun`; empty for all of them. */
function formatDays(days: readonly number[], language: Language): string {
  if (days.length === 7) return ''
  // January 1, 2024 was a Monday.
  const formatDay = (day: number): string =>
    new Intl.DateTimeFormat(words[language].locale, { weekday: 'short', timeZone: 'UTC' }).format(
      Date.UTC(2024, 0, day),
    )
  const runs: [first: number, last: number][] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run && day === run[1] + 1) run[1] = day
    else runs.push([day, day])
  }
  return runs
    .map(([first, last]) => (first === last ? formatDay(first) : `${formatDay(first)}–${formatDay(last)}`))
    .join(', ')
}

function formatRate(rate: LineRate, language: Language): string {
  const { upTo, over, between } = words[language]
  if ('days' in rate) {
    const { days, start_time: start, end_time: end } = rate
    const isAllDay = start === null && end === null
    const times = isAllDay
      ? ''
      : `${formatClock(start ?? '00:00', language)}–${formatClock(end ?? '24:00', language)}`
    return [formatDays(days, language), times].filter(Boolean).join(' ')
  }
  const { start_duration: start, end_duration: end } = rate
  if (end === null) return start === 0 ? '' : over(formatMinutes(start))
  return start === 0 ? upTo(formatMinutes(end)) : between(formatMinutes(start), formatMinutes(end))
}

/** Returns when the price of a line applies: `over 24 h`, `Mon–Fri 7:00 AM–7:00 PM`; empty if always. */
export const formatRates = (rates: readonly LineRate[] | undefined, language: Language): string =>
  (rates ?? [])
    .map((rate) => formatRate(rate, language))
    .filter(Boolean)
    .join('; ')

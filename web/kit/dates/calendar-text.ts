import type { LocalDay } from '#contract/period.ts'

/** Cached by language, because creating a formatter takes far longer than formatting a day. */
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Formats a local day as `Sun, Mar 1` in a language. */
export function formatShortDay(day: string, language: string): string {
  let formatter = formatters.get(language)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(language, {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    })
    formatters.set(language, formatter)
  }
  return formatter.format(new Date(day))
}

/** Formats a local day as `Mar 1, 2026` in a language. */
export const formatMediumDay = (day: LocalDay, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day))

/** Formats the month of a local day or of `YYYY-MM`, as `March 2026` or `Mar 2026` in a language. */
export const formatMonth = (month: string, language: string, style: 'long' | 'short' = 'long'): string =>
  new Intl.DateTimeFormat(language, { month: style, year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(month),
  )

/** One formatter per language: to create one takes far longer than to format, and calendars show hundreds of days. */
const formatters = new Map<string, Intl.DateTimeFormat>()

/** A local day as `Sun, Mar 1` in a language. */
export function shortDay(day: string, language: string): string {
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

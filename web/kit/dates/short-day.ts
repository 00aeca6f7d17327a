/** Cached by language, because creating a formatter takes far longer than formatting a day. */
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

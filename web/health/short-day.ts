/** A local day as `Sun, Mar 1` in a language. */
export const shortDay = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(day))

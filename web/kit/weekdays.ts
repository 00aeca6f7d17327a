/** ISO weekday of Sunday; Monday is 1. */
export const isoSunday = 7

export const isWeekend = (day: number): boolean => day === 6 || day === 7

/** Returns the seven days in display order, starting with `first`. */
export const orderedWeekdays = (first: number = isoSunday): number[] =>
  Array.from({ length: 7 }, (_, index) => ((first - 1 + index) % 7) + 1)

/** Returns the name of an ISO weekday. January 1, 2024 was a Monday. */
export const formatWeekday = (day: number, language: string, weekday: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))

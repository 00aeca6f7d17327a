/** Weekdays in ISO style: Monday 1 to Sunday 7. */
export const isoSunday = 7

export const isWeekend = (day: number): boolean => day === 6 || day === 7

/** The seven days in the order in which a week is shown; from Sunday unless another day is first. */
export const orderedWeekdays = (first: number = isoSunday): number[] =>
  Array.from({ length: 7 }, (_, k) => ((first - 1 + k) % 7) + 1)

/** The first of January 2024 was a Monday. */
export const weekdayName = (day: number, language: string, weekday: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))

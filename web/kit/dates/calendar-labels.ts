import type { CalendarProps } from '@mantine/dates'
import type { TFunction } from 'i18next'

const inWords = (language: string, options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  return (day: string): string => format.format(Date.parse(day))
}

/** The words of a calendar in a language: Mantine's own are English, and its arrows have no names. The buttons of months and years are named by what they show. */
export function calendarLabels(t: TFunction, language: string) {
  const weekday = inWords(language, { weekday: 'short' })
  return {
    ariaLabels: {
      previousMonth: t('kit:dates.calendar.previousMonth'),
      nextMonth: t('kit:dates.calendar.nextMonth'),
      previousYear: t('kit:dates.calendar.previousYear'),
      nextYear: t('kit:dates.calendar.nextYear'),
      previousDecade: t('kit:dates.calendar.previousDecade'),
      nextDecade: t('kit:dates.calendar.nextDecade'),
    },
    monthLabelFormat: inWords(language, { month: 'long', year: 'numeric' }),
    weekdayFormat: (day: string) => weekday(day).slice(0, 2),
    monthsListFormat: inWords(language, { month: 'short' }),
    getDayAriaLabel: inWords(language, { dateStyle: 'full' }),
  } satisfies Partial<CalendarProps>
}

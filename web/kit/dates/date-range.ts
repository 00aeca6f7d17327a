import type { TFunction } from 'i18next'
import type { LocalDay } from '#contract/period.ts'

/** First and last day, both included; null if open. */
export interface DateRange {
  from: LocalDay | null
  to: LocalDay | null
}

export type RangeEnd = keyof DateRange
export const rangeEnds = ['from', 'to'] as const

export const getOtherEnd = (end: RangeEnd): RangeEnd => (end === 'from' ? 'to' : 'from')
export const isSameRange = (a: DateRange, b: DateRange): boolean => a.from === b.from && a.to === b.to

/** Formats a range: `Nov 1 – 21, 2026`, `From Nov 1, 2026`. */
export function formatDateRange(t: TFunction, { from, to }: DateRange, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const formatOne = (day: LocalDay): string => format.format(Date.parse(day))
  if (from !== null && to !== null)
    return from <= to
      ? format.formatRange(Date.parse(from), Date.parse(to))
      : `${formatOne(from)} – ${formatOne(to)}`
  if (from !== null) return t('kit:dates.since', { day: formatOne(from) })
  return to === null ? t('kit:dates.any') : t('kit:dates.until', { day: formatOne(to) })
}

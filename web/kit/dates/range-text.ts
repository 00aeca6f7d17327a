import type { TFunction } from 'i18next'
import type { LocalDay } from '#contract/period.ts'
import type { DateRange } from './date-range.ts'

/** An applied range as it is read: `Nov 1 – 21, 2026`, `From Nov 1, 2026`. */
export function rangeText(t: TFunction, { from, to }: DateRange, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const read = (day: LocalDay): string => format.format(Date.parse(day))
  if (from !== null && to !== null)
    return from <= to ? format.formatRange(Date.parse(from), Date.parse(to)) : `${read(from)} – ${read(to)}`
  if (from !== null) return t('kit:dates.since', { day: read(from) })
  return to === null ? t('kit:dates.any') : t('kit:dates.until', { day: read(to) })
}

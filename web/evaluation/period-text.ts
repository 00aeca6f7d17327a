import type { Period } from './period-presets.ts'

/** Days of a period as they are read. */
export function periodText({ start_date, end_date }: Period, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return format.formatRange(Date.parse(start_date), Date.parse(end_date))
}

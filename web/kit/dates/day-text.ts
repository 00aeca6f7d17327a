import { dayNumber, dayFromNumber, type LocalDay } from '#contract/period.ts'

type Part = 'day' | 'month' | 'year'

export const maxDayTextLength = 10

/** What may be typed of a date: digits, '.' and '/', ten of them. */
export const cleanDayText = (text: string): string =>
  text.replaceAll(/[^\d./]/g, '').slice(0, maxDayTextLength)

/** How a language writes a short date: the order of its parts and what stands between. Of separators only '.' and '/' can be typed, so another one reads '/'. */
export function dayPattern(language: string): { order: Part[]; separator: '.' | '/' } {
  const parts = new Intl.DateTimeFormat(language, {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    calendar: 'gregory',
    numberingSystem: 'latn',
    timeZone: 'UTC',
  }).formatToParts(0)
  const order = parts
    .map(({ type }) => type)
    .filter((type): type is Part => type === 'day' || type === 'month' || type === 'year')
  const between = parts
    .slice(parts.findIndex(({ type }) => type === order[0]) + 1)
    .find(({ type }) => type === 'literal')
  return { order, separator: between?.value.includes('.') ? '.' : '/' }
}

/** `11/21/2026`, `21/11/2026`, `21.11.2026`. */
export function formatDay(day: LocalDay, language: string): string {
  const [year = '', month = '', date = ''] = day.split('-')
  const { order, separator } = dayPattern(language)
  return order.map((part) => ({ year, month, day: date })[part]).join(separator)
}

/** The day that a typed date means, or null: parts in the language's order, the year with four digits, a day that exists. */
export function parseDay(text: string, language: string): LocalDay | null {
  const parts = text.trim().split(/[./]/)
  const { order } = dayPattern(language)
  if (parts.length !== 3) return null
  const part = (name: Part): string => parts[order.indexOf(name)] ?? ''
  if (
    !/^[1-9]\d{3}$/.test(part('year')) ||
    !/^\d{1,2}$/.test(part('month')) ||
    !/^\d{1,2}$/.test(part('day'))
  )
    return null
  const day = `${part('year')}-${part('month').padStart(2, '0')}-${part('day').padStart(2, '0')}`
  const number = dayNumber(day)
  return !Number.isNaN(number) && dayFromNumber(number) === day ? day : null
}

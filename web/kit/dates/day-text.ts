import { dayNumber, dayFromNumber, type LocalDay } from '#contract/period.ts'

type Part = 'day' | 'month' | 'year'

export const maxDayTextLength = 10

/** Limits typed text to digits, '.' and '/', at most ten characters. */
export const cleanDayText = (text: string): string =>
  text.replaceAll(/[^\d./]/g, '').slice(0, maxDayTextLength)

interface DayPattern {
  order: readonly Part[]
  separator: '.' | '/'
}

/** Cached by language, because finding a pattern takes far longer than formatting a day with it. */
const patterns = new Map<string, DayPattern>()

/**
 * Order and separator of short dates in a language. Only '.' and '/' can be typed, so another separator
 * becomes '/'.
 */
export function dayPattern(language: string): DayPattern {
  const cached = patterns.get(language)
  if (cached) return cached
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
  const literal = parts
    .slice(parts.findIndex(({ type }) => type === order[0]) + 1)
    .find(({ type }) => type === 'literal')
  const pattern: DayPattern = { order, separator: literal?.value.includes('.') ? '.' : '/' }
  patterns.set(language, pattern)
  return pattern
}

/** Formats a day in the order of the language: `11/21/2026`, `21/11/2026`, `21.11.2026`. */
export function formatDay(day: LocalDay, language: string): string {
  const [year = '', month = '', date = ''] = day.split('-')
  const { order, separator } = dayPattern(language)
  return order.map((part) => ({ year, month, day: date })[part]).join(separator)
}

/**
 * Parses a typed date with the parts in the order of the language and a four-digit year; null if it is not an
 * existing day.
 */
export function parseDay(text: string, language: string): LocalDay | null {
  const parts = text.trim().split(/[./]/)
  const { order } = dayPattern(language)
  if (parts.length !== 3) return null
  const getPart = (name: Part): string => parts[order.indexOf(name)] ?? ''
  if (
    !/^[1-9]\d{3}$/.test(getPart('year')) ||
    !/^\d{1,2}$/.test(getPart('month')) ||
    !/^\d{1,2}$/.test(getPart('day'))
  )
    return null
  const day = `${getPart('year')}-${getPart('month').padStart(2, '0')}-${getPart('day').padStart(2, '0')}`
  const number = dayNumber(day)
  return !Number.isNaN(number) && dayFromNumber(number) === day ? day : null
}

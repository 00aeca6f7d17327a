import { dayNumber, dayFromNumber, type LocalDay } from '#contract/period.ts'

type DayPart = 'day' | 'month' | 'year'

/** Length of a typed day, such as `11/21/2026`. */
export const maxDayTextLength = 10

/** Removes what no typed day contains: all but digits, '.' and '/', and what is too long. */
export const cleanDayText = (text: string): string =>
  text.replaceAll(/[^\d./]/g, '').slice(0, maxDayTextLength)

/** The order and separator of the parts of a typed day. */
interface DayPattern {
  order: readonly DayPart[]
  separator: '.' | '/'
}

/** Cached by language, because finding a pattern takes far longer than formatting a day with it. */
const patterns = new Map<string, DayPattern>()

/** Returns the pattern of short dates in a language. Only '.' and '/' can be typed, so others become '/'. */
export function getDayPattern(language: string): DayPattern {
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
    .filter((type): type is DayPart => type === 'day' || type === 'month' || type === 'year')
  const literal = parts
    .slice(parts.findIndex(({ type }) => type === order[0]) + 1)
    .find(({ type }) => type === 'literal')
  const pattern: DayPattern = { order, separator: literal?.value.includes('.') ? '.' : '/' }
  patterns.set(language, pattern)
  return pattern
}

/** Formats a day in the order of the language: `11/21/2026`, `21/11/2026`, `21.11.2026`. */
export function formatDay(day: LocalDay, language: string): string {
  const [year = '', month = '', dayOfMonth = ''] = day.split('-')
  const { order, separator } = getDayPattern(language)
  return order.map((part) => ({ year, month, day: dayOfMonth })[part]).join(separator)
}

/** Parses a typed date in the order of the language with a four-digit year; null if there is no such day. */
export function parseDay(text: string, language: string): LocalDay | null {
  const parts = text.trim().split(/[./]/)
  const { order } = getDayPattern(language)
  if (parts.length !== 3) return null
  const getPart = (name: DayPart): string => parts[order.indexOf(name)] ?? ''
  if (
    !/^[1-9]\d{3}$/.test(getPart('year')) ||
    !/^\d{1,2}$/.test(getPart('month')) ||
    !/^\d{1,2}$/.test(getPart('day'))
  )
    return null
  const day = `${getPart('year')}-${getPart('month').padStart(2, '0')}-${getPart('day').padStart(2, '0')}`
  // Days that do not exist, such as February 30, have the number of another day.
  const dayCount = dayNumber(day)
  return !Number.isNaN(dayCount) && dayFromNumber(dayCount) === day ? day : null
}

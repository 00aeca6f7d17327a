import type { HourRange, LocalDay } from '#contract/period.ts'

/** Whether a text is a day of the calendar, YYYY-MM-DD. */
function isDay(text: string): boolean {
  const at = Date.parse(text)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

// Readers of single values of the address bar: what makes no sense is as if absent.
const slug = /^[a-z0-9][a-z0-9_-]{0,59}$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
/** A number, also one that is written as text; NaN for what is none. */
export const numberOf = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
export const orAbsent = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined)
export const unlessDefault = <T>(value: T | undefined, usual: T): T | undefined =>
  value === usual ? undefined : value
export const oneOf = <T extends string>(all: readonly T[], value: unknown): T | undefined =>
  all.find((each) => each === value)
export const someOf = <T extends string>(all: readonly T[], value: unknown): T[] | undefined =>
  orAbsent(all.filter((each) => listOf(value).includes(each)))
export const oneUuid = (value: unknown): string | undefined =>
  typeof value === 'string' && uuid.test(value) ? value : undefined
export const keyOf = <T extends string>(all: Record<T, unknown>, value: unknown): T | undefined =>
  typeof value === 'string' && Object.hasOwn(all, value) ? (value as T) : undefined
export const oneDay = (value: unknown): LocalDay | undefined =>
  typeof value === 'string' && isDay(value) ? value : undefined
export const flag = (value: unknown): true | undefined => (value === true ? true : undefined)

/** Slugs of operators, sorted, each once. */
export const slugsOf = (value: unknown): string[] =>
  [
    ...new Set(listOf(value).filter((each): each is string => typeof each === 'string' && slug.test(each))),
  ].toSorted()

/** Days of the week, 1 to 7 from Monday on, sorted, each once. */
export const weekdaysOf = (value: unknown): number[] =>
  [
    ...new Set(
      listOf(value)
        .map(numberOf)
        .filter((day) => Number.isInteger(day) && day >= 1 && day <= 7),
    ),
  ].toSorted((a, b) => a - b)

/** A number of whole units from 1 to `most`. */
export function wholeUpTo(most: number, value: unknown): number | undefined {
  const whole = typeof value === 'number' ? Math.round(value) : Number.NaN
  return whole > 0 && whole <= most ? whole : undefined
}

/** Swapped days are reordered; a day without its partner is a period of one day. */
export function daysInOrder(
  a: LocalDay | undefined,
  b: LocalDay | undefined,
): [LocalDay | undefined, LocalDay | undefined] {
  const [start, end] = [a ?? b, b ?? a]
  return start !== undefined && end !== undefined && start > end ? [end, start] : [start, end]
}

/** Hours of the day, swapped ones reordered; the whole day is absent. */
export function hoursOf(value: unknown): [number, number] | undefined {
  const [a, b] = listOf(value).map(numberOf)
  if (
    a === undefined ||
    b === undefined ||
    ![a, b].every((hour) => Number.isInteger(hour) && hour >= 0 && hour <= 24) ||
    a === b
  )
    return undefined
  const [from, to] = [Math.min(a, b), Math.max(a, b)]
  return from === 0 && to === 24 ? undefined : [from, to]
}

/** The hours of the address bar (0 to 24, end excluded) as the server takes them: first and last hour, both included. */
export const hoursAsked = ([from, until]: readonly [number, number] = [0, 24]): HourRange => [from, until - 1]

export function viewOf(value: unknown): [number, number, number] | undefined {
  const [lon, lat, zoom] = listOf(value).map(numberOf)
  if (lon === undefined || lat === undefined || zoom === undefined) return undefined
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 85.05 && zoom >= 0 && zoom <= 22
    ? [lon, lat, zoom]
    : undefined
}

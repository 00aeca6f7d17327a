/** A record with values that have not been validated. */
export type RawRecord = Record<string, unknown>

/** Whether a value is an object, not a list. */
export const isRecord = (value: unknown): value is RawRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Normalizes a name for comparison, so that `UserClasses`, `user-classes` and `user_classes` are the same. */
export const normalizeKey = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '')

/** Normalizes a text for comparison: lower case, with a space for spaces, underscores, control characters. */
export const normalize = (text: string): string =>
  text
    .replace(/[\p{Cc}\s_]+/gu, ' ')
    .trim()
    .toLowerCase()

const formatItem = (value: unknown): string =>
  typeof value === 'object' && value !== null ? '{…}' : String(value)

/** Returns any value as a text for messages. Does not call `toString` of objects, which files can replace. */
export const asText = (value: unknown): string =>
  Array.isArray(value) ? value.map(formatItem).join(',') : formatItem(value)

/** Returns a number, or a text that is a number. Null for other values. */
export function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** Returns a text that stores accept, of at most `max` characters; null for other types and empty texts. */
export function toText(value: unknown, max: number): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null
  // Some exports separate values by control characters. PostgreSQL rejects NUL and halves of surrogate pairs.
  const text = String(value)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, max)
    .replace(/\p{Surrogate}/gu, '\uFFFD')
  return text === '' ? null : text
}

/** Numbers plausible as seconds (1990 to 2200) are read as these; others must be plausible as ms. */
const firstMs = Date.UTC(1970, 0, 2)
const lastMs = Date.UTC(2200, 0, 1)
const firstSeconds = Date.UTC(1990, 0, 1) / 1000
const lastSeconds = lastMs / 1000

/** A date, or a time with its zone: times without one would be read in the zone of the server. */
const isoTimePattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[-+]\d\d:?\d\d))?$/

/** Reads a time, and whether it was converted from another form than milliseconds. Null if it is no time. */
export function toMilliseconds(value: unknown): { ms: number; isConverted: boolean } | null {
  const number = toNumber(value)
  if (number !== null) {
    if (number >= firstSeconds && number <= lastSeconds)
      return { ms: Math.round(number * 1000), isConverted: true }
    const isMs = number === 0 || (number >= firstMs && number <= lastMs)
    return isMs ? { ms: Math.round(number), isConverted: typeof value !== 'number' } : null
  }
  if (typeof value !== 'string' || !isoTimePattern.test(value.trim())) return null
  const ms = Date.parse(value.trim())
  return Number.isFinite(ms) && ms >= 0 ? { ms, isConverted: true } : null
}

/** Values of records that nobody has validated. */
export type RawRecord = Record<string, unknown>

export const isRecord = (value: unknown): value is RawRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Spelling without case, blanks, dashes and underscores: `UserClasses` and `user_classes` are the same. */
export const plainKey = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '')

/** Lower case, single blanks, no blanks or control characters around it. */
export const plainWord = (text: string): string =>
  text
    .replace(/[\p{Cc}\s_]+/gu, ' ')
    .trim()
    .toLowerCase()

const oneAsText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? '{…}' : String(value)

/** Any value of a record for messages and comparisons; objects of hostile files have no usable `toString`. */
export const asText = (value: unknown): string =>
  Array.isArray(value) ? value.map(oneAsText).join(',') : oneAsText(value)

/** A number, also as text; null if it is none. */
export function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** Text that the stores accept, at most `max` characters; null for what is not text or number, or empty. */
export function toText(value: unknown, max: number): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null
  // Control characters separate values in some exports; NUL and halves of surrogate pairs are no text for PostgreSQL.
  const text = String(value)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, max)
    .replace(/\p{Surrogate}/gu, '\uFFFD')
  return text === '' ? null : text
}

/** 2000 to 2200 in milliseconds; numbers that are seconds within these years are taken for seconds. */
const [firstMs, lastMs] = [Date.UTC(1970, 0, 2), Date.UTC(2200, 0, 1)]
const firstSeconds = Date.UTC(1990, 0, 1) / 1000
const lastSeconds = lastMs / 1000

/** A time in milliseconds with what it was read from; null if it is no time. */
export function toMilliseconds(value: unknown): { ms: number; isConverted: boolean } | null {
  const number = toNumber(value)
  if (number !== null) {
    if (number >= firstSeconds && number <= lastSeconds)
      return { ms: Math.round(number * 1000), isConverted: true }
    const isMs = number === 0 || (number >= firstMs && number <= lastMs)
    return isMs ? { ms: Math.round(number), isConverted: typeof value !== 'number' } : null
  }
  // Without a zone it would be read in the zone of the server.
  if (
    typeof value !== 'string' ||
    !/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[-+]\d\d:?\d\d))?$/.test(value.trim())
  )
    return null
  const ms = Date.parse(value.trim())
  return Number.isFinite(ms) && ms >= 0 ? { ms, isConverted: true } : null
}

import { toPlainText } from '#server/table-files/plain-text.ts'
import type { JsonObject } from '../adapters/response-body.ts'

/** Parses a number, which may be a string; NaN if it is invalid. */
export function parseNumber(value: unknown): number {
  const isNumberOrText = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
  const number = isNumberOrText ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : Number.NaN
}

/** Parses a boolean, which is 1 or 0 in GBFS 1; null if it is invalid. */
export function parseFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === '1' || value === 'true') return true
  return value === 0 || value === '0' || value === 'false' ? false : null
}

/** Larger numbers are milliseconds: as seconds they would be after the year 5000. */
const maxSeconds = 1e11
/** September 2001, in ms since 1970. */
const minTimeMs = 1e12
/** 2100-01-01, in ms since 1970. */
const maxTimeMs = 4_102_444_800_000

/** Parses a time in seconds (GBFS 1 and 2) or RFC 3339 (GBFS 3) to ms since 1970; NaN if it is invalid. */
export function parseTime(value: unknown): number {
  if (typeof value === 'string' && !/^\d+$/.test(value))
    return /^\d{4}-\d{2}-\d{2}[T ]/.test(value) ? Date.parse(value) : Number.NaN
  const number = parseNumber(value)
  // Some feeds contain milliseconds instead of seconds.
  const ms = number > maxSeconds ? number : number * 1000
  return ms > minTimeMs && ms < maxTimeMs ? Math.floor(ms) : Number.NaN
}

/**
 * Reads a text in the given language, else in English, else in the first language. GBFS 2 has a string, GBFS
 * 3 a list of texts with languages.
 */
export function readLocalizedText(value: unknown, language: string): string {
  if (!Array.isArray(value)) return toPlainText(value, 300)
  const texts = value.filter(
    (text): text is { text: string; language?: string } =>
      typeof text === 'object' && text !== null && typeof (text as JsonObject)['text'] === 'string',
  )
  const findByPrefix = (prefix: string): { text: string } | undefined =>
    texts.find((text) => text.language?.toLowerCase().startsWith(prefix))
  return toPlainText((findByPrefix(language) ?? findByPrefix('en') ?? texts[0])?.text, 300)
}

/** Parses an id, which is a number in some feeds. */
export const parseId = (value: unknown): string => toPlainText(value, 200)

import type { JsonObject } from '../adapters/answer-body.ts'
import { plainText } from '#server/table-files/plain-text.ts'

/** A number, also if written as text; NaN if invalid. */
export function numberOf(value: unknown): number {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? Number(value)
        : Number.NaN
  return Number.isFinite(number) ? number : Number.NaN
}

/** A boolean; GBFS 1 writes 1 and 0. Null if invalid. */
export function flagOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === '1' || value === 'true') return true
  return value === 0 || value === '0' || value === 'false' ? false : null
}

/** Ms since 1970 of seconds (GBFS 1 and 2) or RFC 3339 (3); NaN if invalid. */
export function timeOf(value: unknown): number {
  if (typeof value === 'string' && !/^\d+$/.test(value))
    return /^\d{4}-\d{2}-\d{2}[T ]/.test(value) ? Date.parse(value) : Number.NaN
  const number = numberOf(value)
  // Some feeds write milliseconds.
  const ms = number > 1e11 ? number : number * 1000
  return ms > 1e12 && ms < 4_102_444_800_000 ? Math.floor(ms) : Number.NaN
}

/** A text in the given language, else in English, else the first: 2.x has plain text, 3 a list of languages. */
export function textIn(value: unknown, language: string): string {
  if (!Array.isArray(value)) return plainText(value, 300)
  const texts = value.filter(
    (each): each is { text: string; language?: string } =>
      typeof each === 'object' && each !== null && typeof (each as JsonObject)['text'] === 'string',
  )
  const prefixed = (prefix: string): { text: string } | undefined =>
    texts.find((each) => each.language?.toLowerCase().startsWith(prefix))
  return plainText((prefixed(language) ?? prefixed('en') ?? texts[0])?.text, 300)
}

/** An id: text, or a number in some feeds. */
export const idOf = (value: unknown): string => plainText(value, 200)

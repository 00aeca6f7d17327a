import type { Fields } from './fields.ts'

/** A record is no place for files. */
const longest = 100_000

/** A value as JSON; null where it is nested too deep to be written. */
export function jsonText(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null
  } catch {
    return null
  }
}

/** What is kept of a record as it came, as JSON; notes what is too deep or too long to be kept. */
export function attributesOf(fields: Fields, value: unknown): string {
  const text = jsonText(value)
  if (text === null) fields.bad('', 'is nested too deep')
  else if (text.length > longest) fields.bad('', `is longer than ${longest} characters`)
  else return text
  return ''
}

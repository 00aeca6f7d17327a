import type { Fields } from './fields.ts'

/** Characters of a record at most. */
const maxLength = 100_000

/** A value as JSON; null if it is nested too deep to be serialized. */
export function jsonText(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null
  } catch {
    return null
  }
}

/** The attributes of a record as JSON; reports those that are too deep or too long. */
export function attributesOf(fields: Fields, value: unknown): string {
  const text = jsonText(value)
  if (text === null) fields.bad('', 'is nested too deep')
  else if (text.length > maxLength) fields.bad('', `is longer than ${maxLength} characters`)
  else return text
  return ''
}

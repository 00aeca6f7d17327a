import type { Fields } from './fields.ts'

/** The maximum number of characters of a record. */
const maxLength = 100_000

/** Returns a value as JSON; null if it is nested too deep to be serialized. */
export function toJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null
  } catch {
    return null
  }
}

/** Serializes the attributes of a record. Adds an error and returns '' if they are too deep or too long. */
export function serializeAttributes(fields: Fields, value: unknown): string {
  const text = toJson(value)
  if (text === null) fields.addError('', 'is nested too deep')
  else if (text.length > maxLength) fields.addError('', `is longer than ${maxLength} characters`)
  else return text
  return ''
}

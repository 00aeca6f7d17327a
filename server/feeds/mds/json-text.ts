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

/**
 * Returns the attributes of a record as JSON. Adds a fault and returns '' if they are nested too deep or too
 * long.
 */
export function serializeAttributes(fields: Fields, value: unknown): string {
  const text = toJson(value)
  if (text === null) fields.addFault('', 'is nested too deep')
  else if (text.length > maxLength) fields.addFault('', `is longer than ${maxLength} characters`)
  else return text
  return ''
}

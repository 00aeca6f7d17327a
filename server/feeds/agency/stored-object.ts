import { isItem } from '../mds/fields.ts'

/** Parses the stored JSON of a record; an empty object if it is invalid. */
export function parseStoredObject(attributes: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(attributes)
    return isItem(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

import { isItem } from '../mds/fields.ts'

/** A stored record. */
export function storedObject(attributes: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(attributes)
    return isItem(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

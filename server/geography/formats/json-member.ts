/** A member of an unchecked JSON value, undefined when there is none of its own. */
export function jsonMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

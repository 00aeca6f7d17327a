/** An own member of an unvalidated JSON value; undefined if there is none. */
export function jsonMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** The properties of a parsed GeoJSON feature, with its `id` unless they have one. */
export function featureProperties(feature: unknown): unknown {
  const properties = jsonMember(feature, 'properties')
  const id = jsonMember(feature, 'id')
  if (typeof id !== 'string' && typeof id !== 'number') return properties
  return typeof properties === 'object' && !Array.isArray(properties) ? { id, ...properties } : { id }
}

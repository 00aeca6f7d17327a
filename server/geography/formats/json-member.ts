/** A member of an unchecked JSON value, undefined when there is none of its own. */
export function jsonMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** The properties of a parsed GeoJSON feature, its `id` among them unless they have one themselves. */
export function featureProperties(feature: unknown): unknown {
  const properties = jsonMember(feature, 'properties')
  const id = jsonMember(feature, 'id')
  if (typeof id !== 'string' && typeof id !== 'number') return properties
  return typeof properties === 'object' && !Array.isArray(properties) ? { id, ...properties } : { id }
}

import { jsonMember } from './json-member.ts'

/** The properties of a parsed GeoJSON feature, its `id` among them unless they have one themselves. */
export function featureProperties(feature: unknown): unknown {
  const properties = jsonMember(feature, 'properties')
  const id = jsonMember(feature, 'id')
  if (typeof id !== 'string' && typeof id !== 'number') return properties
  return typeof properties === 'object' && !Array.isArray(properties) ? { id, ...properties } : { id }
}

import type { BoundaryFeature } from './boundary-feature.ts'

type Properties = BoundaryFeature['properties']

/** Properties as plain values: nested ones as JSON text, numbers that are none as null. */
export function plainProperties(raw: unknown): Properties {
  const plain: Properties = {}
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return plain
  for (const [name, value] of Object.entries(raw)) {
    // Assigning this one would change the object's prototype instead of adding a property.
    if (name === '__proto__') continue
    plain[name] = plainValue(value)
  }
  return plain
}

function plainValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return null
  try {
    return JSON.stringify(value)
  } catch {
    // Nested deeper than the stack reaches: no name or number a city would look for.
    return null
  }
}

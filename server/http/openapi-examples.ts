type Json = Record<string, unknown>

/** Example values by name of the field. */
const examplesByName: Record<string, unknown> = {
  region_id: 'port-meridian',
  start_date: '2026-03-01',
  end_date: '2026-03-31',
  operator: 'zephyr',
  slug: 'zephyr',
  email: 'ada@city.example',
  name: 'Budget dashboard',
  url: 'https://city.example/hooks',
  measures: ['trips', 'fleet_avg'],
  dimensions: ['operator', 'day'],
  bins: [0, 500, 1000, 2000],
  cidrs: ['203.0.113.0/24'],
  lon: -122.41,
  lat: 37.77,
}
/** Example values by format of a string. */
const examplesByFormat: Record<string, string> = {
  date: '2026-03-01',
  'date-time': '2026-03-01T12:00:00Z',
  uuid: '7a1c8f0e-3b52-4b1e-9d6f-2c5a9e8b4d10',
  email: 'ada@city.example',
  uri: 'https://city.example',
}
/** Maximum depth of an example; deeper parts are left out. */
const maxDepth = 6

/** Makes an example for a JSON schema, with required fields only; undefined if none can be made. */
export function makeExample(schema: Json, name: string, components: Json, depth = 0): unknown {
  if (depth > maxDepth) return undefined
  if (typeof schema['$ref'] === 'string') {
    const component = components[schema['$ref'].split('/').at(-1) ?? '']
    return component ? makeExample(component as Json, name, components, depth + 1) : undefined
  }
  if ('const' in schema) return schema['const']
  if (examplesByName[name] !== undefined && schema['type'] !== 'object') return examplesByName[name]
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if ('default' in schema && schema['default'] !== null && depth > 0) return schema['default']
  const choices = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Json[] | undefined
  if (choices) return makeExample(choices[0] ?? {}, name, components, depth + 1)
  return makeExampleOfType(schema, name, components, depth)
}

/** Makes an example value for the type of a schema; objects have only their required fields. */
function makeExampleOfType(schema: Json, name: string, components: Json, depth: number): unknown {
  switch (schema['type']) {
    case 'object': {
      const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
      const required = (schema['required'] ?? []) as string[]
      return Object.fromEntries(
        fields
          .filter(([field]) => required.includes(field))
          .map(
            ([field, fieldSchema]) =>
              [field, makeExample(fieldSchema, field, components, depth + 1)] as const,
          )
          .filter(([, value]) => value !== undefined),
      )
    }
    case 'array': {
      const count = Number(schema['minItems'] ?? 0)
      const item = makeExample((schema['items'] ?? {}) as Json, name, components, depth + 1)
      return item === undefined ? [] : Array.from({ length: count }, () => item)
    }
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? 1) || 1
    case 'boolean':
      return true
    case 'string':
      return examplesByFormat[String(schema['format'])] ?? 'text'
    default:
      return undefined
  }
}

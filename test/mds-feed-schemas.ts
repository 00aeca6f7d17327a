// Validates with the official schemas of public feeds (test/fixtures/mds), with their known defects corrected.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

type Json = Record<string, unknown>
interface Validator {
  compile(schema: unknown): ((value: unknown) => boolean) & { errors?: unknown }
  addMetaSchema(schema: unknown): void
}
// A dependency of fastify, so it is not declared in package.json and cannot be imported statically.
const load = createRequire(import.meta.url)

const at = (schema: unknown, ...steps: string[]): Json =>
  steps.reduce<Json>((found, step) => found[step] as Json, schema as Json)

/** Removes the ids within schemas, because some in MDS 1.2 occur twice. */
function removeIds(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  delete (schema as Json)['$id']
  Object.values(schema).forEach(removeIds)
}

/** Corrections of defects in published schemas, by name of the schema. */
const corrections: Record<string, (schema: unknown) => void> = {
  'policy-2.0': (schema) => {
    const rules = at(schema, 'properties', 'rules')
    // By the text of the standard, a policy with empty rules revokes another one.
    delete rules['minItems']
    // The schema rejects a fee on leaving in time rules, which the official example of tiered fees uses.
    const time = (at(rules, 'items')['oneOf'] as Json[]).find(({ title }) => title === 'Time rule')
    at(time, 'properties', 'rate_recurrence')['enum'] = [
      'each_time_unit',
      'per_complete_time_unit',
      'once_on_match',
      'once_on_unmatch',
    ]
  },
  'geography-2.0': () => undefined,
  'requirements-2.0': (schema) => {
    // By the text of the standard, a program may have no end.
    const end = at(schema, 'properties', 'programs', 'items', 'properties', 'end_date')
    end['type'] = ['number', 'null']
  },
  'policies-1.2': removeIds,
  'geographies-1.2': (schema) => {
    removeIds(schema)
    // The schema of GeoJSON has another address.
    delete at(schema, 'definitions', 'geography', 'properties', 'geography_json')['$ref']
  },
}

const made = new Map<string, (value: unknown) => unknown>()

/** Returns a validator of a schema, which returns errors or null. Formats are not checked. */
export function loadFeedSchema(name: string): (value: unknown) => unknown {
  const check = made.get(name) ?? compile(name)
  made.set(name, check)
  return check
}

function compile(name: string): (value: unknown) => unknown {
  const schema = JSON.parse(
    fs.readFileSync(path.resolve('test/fixtures/mds', `${name}.json`), 'utf8'),
  ) as unknown
  corrections[name]?.(schema)
  const isNew = name.endsWith('2.0')
  const make = load(isNew ? 'ajv/dist/2020' : 'ajv').default as new (settings: object) => Validator
  const ajv = new make({ strict: false, validateFormats: false, logger: false, allErrors: true })
  if (isNew) ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-07.json'))
  else ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-06.json'))
  const check = ajv.compile(schema)
  return (value) => (check(value) ? null : check.errors)
}

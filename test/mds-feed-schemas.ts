// The official schemas of the public feeds (test/fixtures/mds), with their known defects corrected, and
// functions that validate with them.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

type Json = Record<string, unknown>
interface Validator {
  compile(schema: unknown): ((value: unknown) => boolean) & { errors?: unknown }
  addMetaSchema(schema: unknown): void
}
// It comes with fastify: there is no import of it to declare.
const load = createRequire(import.meta.url)

const at = (schema: unknown, ...steps: string[]): Json =>
  steps.reduce<Json>((found, step) => found[step] as Json, schema as Json)

/** Some ids within the schemas of 1.2 stand twice. */
function withoutIds(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  delete (schema as Json)['$id']
  Object.values(schema).forEach(withoutIds)
}

/** What is wrong in a schema as it was published. */
const mends: Record<string, (schema: unknown) => void> = {
  'policy-2.0': (schema) => {
    const rules = at(schema, 'properties', 'rules')
    // A policy is revoked by one with empty rules, says the prose.
    delete rules['minItems']
    // A fee on leaving is refused of time rules, which the official example of tiered fees has.
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
    // A program may go on without an end, says the prose.
    const end = at(schema, 'properties', 'programs', 'items', 'properties', 'end_date')
    end['type'] = ['number', 'null']
  },
  'policies-1.2': withoutIds,
  'geographies-1.2': (schema) => {
    withoutIds(schema)
    // The schema of GeoJSON is at another place.
    delete at(schema, 'definitions', 'geography', 'properties', 'geography_json')['$ref']
  },
}

const made = new Map<string, (value: unknown) => unknown>()

/** What the schema has against a value; null: nothing. Formats only describe. */
export function feedSchema(name: string): (value: unknown) => unknown {
  const check = made.get(name) ?? compile(name)
  made.set(name, check)
  return check
}

function compile(name: string): (value: unknown) => unknown {
  const schema = JSON.parse(
    fs.readFileSync(path.resolve('test/fixtures/mds', `${name}.json`), 'utf8'),
  ) as unknown
  mends[name]?.(schema)
  const isNew = name.endsWith('2.0')
  const make = load(isNew ? 'ajv/dist/2020' : 'ajv').default as new (settings: object) => Validator
  const ajv = new make({ strict: false, validateFormats: false, logger: false, allErrors: true })
  if (isNew) ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-07.json'))
  else ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-06.json'))
  const check = ajv.compile(schema)
  return (value) => (check(value) ? null : check.errors)
}

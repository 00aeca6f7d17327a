// The official schemas of MDS, and what checks with them. They stand beside the repository: where they are not there, tests skip.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const schemas = path.resolve('../shared/standards/schemas/mds')

interface Validator {
  compile(schema: unknown): ((value: unknown) => boolean) & { errors?: unknown }
  addMetaSchema(schema: unknown): void
}
// It comes with another package: there is no import of it to declare.
const load = createRequire(import.meta.url)

/** Whether the schemas and something to check with are there. */
export const hasSchemas = fs.existsSync(schemas) && fs.existsSync('node_modules/ajv')

/** A schema as it was published, by its path. */
export const schemaOf = (name: string) =>
  JSON.parse(fs.readFileSync(path.join(schemas, name), 'utf8')) as {
    definitions: Record<string, unknown>
    required: string[]
    allOf: { properties?: Record<string, unknown> }[]
  }

/** What a schema has against a value; null: nothing. Its formats only describe. */
export function validatorOf(name: string): (value: unknown) => unknown {
  const isNew = !name.startsWith('v1.2')
  const make = load(isNew ? 'ajv/dist/2020' : 'ajv').default as new (settings: object) => Validator
  const ajv = new make({ strict: false, validateFormats: false, logger: false })
  if (!isNew) ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-06.json'))
  const schema = schemaOf(name)
  // Two schemas of the agency leave out definitions that the provider's have.
  if (name.startsWith('v1.2/agency'))
    schema.definitions = { ...schemaOf('v1.2/provider/vehicles.json').definitions, ...schema.definitions }
  const check = ajv.compile(schema)
  return (value) => (check(value) ? null : check.errors)
}

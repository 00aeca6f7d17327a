// Validates with the official MDS schemas beside the repository. Tests are skipped if they are missing.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const schemas = path.resolve('../shared/standards/schemas/mds')

interface Validator {
  compile(schema: unknown): ((value: unknown) => boolean) & { errors?: unknown }
  addMetaSchema(schema: unknown): void
}
// A dependency of another package, so it is not declared in package.json and cannot be imported statically.
const load = createRequire(import.meta.url)

/** Whether the schemas and a validator are available. */
export const hasSchemas = fs.existsSync(schemas) && fs.existsSync('node_modules/ajv')

export const readSchema = (name: string) =>
  JSON.parse(fs.readFileSync(path.join(schemas, name), 'utf8')) as {
    definitions: Record<string, unknown>
    required: string[]
    allOf: { properties?: Record<string, unknown> }[]
  }

/** Returns a validator of a schema, which returns errors or null. Formats are not checked. */
export function createValidator(name: string): (value: unknown) => unknown {
  const isNew = !name.startsWith('v1.2')
  const make = load(isNew ? 'ajv/dist/2020' : 'ajv').default as new (settings: object) => Validator
  const ajv = new make({ strict: false, validateFormats: false, logger: false })
  if (!isNew) ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-06.json'))
  const schema = readSchema(name)
  // Two Agency schemas lack definitions that the Provider schemas have.
  if (name.startsWith('v1.2/agency'))
    schema.definitions = { ...readSchema('v1.2/provider/vehicles.json').definitions, ...schema.definitions }
  const check = ajv.compile(schema)
  return (value) => (check(value) ? null : check.errors)
}

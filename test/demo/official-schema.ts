import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const schemas = path.resolve('../shared/standards/schemas')
const load = createRequire(import.meta.url)

interface Validator {
  compile(schema: unknown): ((value: unknown) => boolean) & { errors?: unknown }
  addMetaSchema(schema: unknown): void
}

/** Whether the official schemas and a validator are available. */
export const hasSchemas = fs.existsSync(schemas) && fs.existsSync('node_modules/ajv')

/** Returns a validator of a schema (`mds/…`, `gbfs/…`), which returns errors or null, ignoring formats. */
export function loadOfficialSchema(name: string): (value: unknown) => unknown {
  const schema = JSON.parse(fs.readFileSync(path.join(schemas, name), 'utf8')) as { $schema?: string }
  const isNew = schema.$schema?.includes('2020') ?? false
  const make = load(isNew ? 'ajv/dist/2020' : 'ajv').default as new (settings: object) => Validator
  const ajv = new make({ strict: false, validateFormats: false, logger: false })
  if (schema.$schema?.includes('draft-06')) ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-06.json'))
  const check = ajv.compile(schema)
  return (value) => (check(value) ? null : check.errors)
}

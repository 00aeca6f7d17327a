// The official schemas of CDS. They are beside the repository; where they are not, tests skip.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const folder = path.resolve('../shared/standards/schemas/cds/v1.1-json')
interface Validator {
  compile(schema: unknown): ((value: unknown) => boolean) & { errors?: unknown }
}
const load = createRequire(import.meta.url)

export const hasCurbSchemas = fs.existsSync(folder) && fs.existsSync('node_modules/ajv')

/** What the schema of CDS 1.1 has against a value; null: nothing. */
export function curbSchema(name: string, value: unknown): unknown {
  const schema = JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8')) as {
    properties: { geometry?: { oneOf?: object[]; anyOf?: object[] } }
  }
  // The two geometries do not say their `type`, so that a line always matches both.
  const { geometry } = schema.properties
  if (geometry?.oneOf) schema.properties.geometry = { anyOf: geometry.oneOf }
  const make = load('ajv/dist/2020').default as new (settings: object) => Validator
  const check = new make({ strict: false, validateFormats: false, logger: false }).compile(schema)
  return check(value) ? null : check.errors
}

// The official CDS schemas, which are beside the repository. Tests are skipped if they are missing.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const folder = path.resolve('../shared/standards/schemas/cds/v1.1-json')
interface Validator {
  compile(schema: unknown): ((value: unknown) => boolean) & { errors?: unknown }
}
const load = createRequire(import.meta.url)

export const hasCurbSchemas = fs.existsSync(folder) && fs.existsSync('node_modules/ajv')

/** Validates a value with a schema of CDS 1.1. Returns the errors; null if there are none. */
export function checkCurbSchema(name: string, value: unknown): unknown {
  const schema = JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8')) as {
    properties: { geometry?: { oneOf?: object[]; anyOf?: object[] } }
  }
  // The schemas of the two geometries lack `type`, so a line always matches both.
  const { geometry } = schema.properties
  if (geometry?.oneOf) schema.properties.geometry = { anyOf: geometry.oneOf }
  const make = load('ajv/dist/2020').default as new (settings: object) => Validator
  const check = new make({ strict: false, validateFormats: false, logger: false }).compile(schema)
  return check(value) ? null : check.errors
}

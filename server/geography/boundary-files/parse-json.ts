import { findJsonExcess } from '#server/http/json-excess.ts'
import { BoundaryFileError } from './boundary-file-error.ts'
import { decodeText } from './decode-text.ts'
import type { FeatureCollector } from './feature-collector.ts'

/**
 * Checked before JSON is parsed, because ten million opening brackets take 40 s to parse. The size of the
 * file already limits the number of values and the length of texts.
 */
const jsonLimits = { depth: 200, values: Infinity, fields: 100_000, length: Infinity }

/** Parses a JSON file. @throws BoundaryFileError with the line of the error. */
export function parseJson(bytes: Uint8Array, collector: FeatureCollector): unknown {
  const { text, isGuessed } = decodeText(bytes)
  if (isGuessed)
    collector.note(
      null,
      'encoding-guessed',
      'The file is not UTF-8 text; it was read as Windows-1252. Check names with accents.',
    )
  const excess = findJsonExcess(Buffer.from(text), jsonLimits)
  if (excess)
    throw new BoundaryFileError(
      'not-json',
      `The JSON of the file ${excess}, which is too much for a file of boundaries.`,
    )
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new BoundaryFileError(
      'not-json',
      `The file is not complete, valid JSON${findErrorLine(text, error)}. Was it cut off, or saved as something else?`,
    )
  }
}

/** Returns the end of a sentence about a JSON error: its line, or that the text ends; '' if unknown. */
function findErrorLine(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (/end of JSON input|Unterminated/.test(message)) return ': it ends too early'
  const offset = Number(/position (\d+)/.exec(message)?.[1])
  return Number.isInteger(offset)
    ? ` (line ${text.slice(0, offset).split('\n').length.toLocaleString('en')})`
    : ''
}

/** Returns an own member of an unvalidated JSON value; undefined if there is none. */
export function getJsonMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** Reads the properties of a parsed GeoJSON feature, with its `id` unless they have one. */
export function readFeatureProperties(feature: unknown): unknown {
  const properties = getJsonMember(feature, 'properties')
  const id = getJsonMember(feature, 'id')
  if (typeof id !== 'string' && typeof id !== 'number') return properties
  return typeof properties === 'object' && !Array.isArray(properties) ? { id, ...properties } : { id }
}

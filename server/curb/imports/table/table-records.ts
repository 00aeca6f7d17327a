import { readCsvRecords } from '#server/table-files/csv-records.ts'
import { readLines } from '#server/table-files/text-lines.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { isRecord, toText } from '../checks/values.ts'
import { type CurbFile, CurbFileError } from '../curb-format.ts'
import { readJsonRecords } from '../json-records.ts'

/** A row of a CSV table, or a feature of GeoJSON. */
export interface TableRecord {
  row: number
  /**
   * Trimmed values without control characters; '' for null and the usual words for it. Null if the row is
   * broken.
   */
  fields: Readonly<Record<string, string>> | null
  geometry: unknown
  source: unknown
}

const emptyWords = /^(null|none|<null>|n\/a|na|-)$/i
const maxFieldLength = 2000

const toField = (value: unknown): string => {
  const text = toText(value, maxFieldLength) ?? ''
  return emptyWords.test(text) ? '' : text
}

/** Reads the first characters of a file. */
async function readHead(file: CurbFile): Promise<string> {
  for await (const bytes of file.bytes())
    return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(
      bytes.subarray(0, 4096),
    )
  throw new CurbFileError('The file is empty (0 bytes).')
}

/**
 * Reads a table in batches of records. It is GeoJSON if the file begins with { or [, otherwise CSV with a
 * header.
 */
export async function* readTableRecords(file: CurbFile): AsyncGenerator<TableRecord[]> {
  const isJson = /^\s*[[{]/.test((await readHead(file)).replace(/^\uFEFF/, ''))
  try {
    yield* isJson ? readFeatureRecords(file) : readRowRecords(file)
  } catch (error) {
    throw error instanceof TableFileError ? new CurbFileError(error.message) : error
  }
}

/** Returns the features of a GeoJSON file as records. */
async function* readFeatureRecords(file: CurbFile): AsyncGenerator<TableRecord[]> {
  let row = 0
  let hasFeatures = false
  for await (const parts of readJsonRecords(file, new Set(['features']), new Set())) {
    const records: TableRecord[] = []
    for (const part of parts) {
      if (part.list === null) continue
      hasFeatures = true
      const { value } = part
      const properties = isRecord(value) && isRecord(value['properties']) ? value['properties'] : null
      const isFeature = isRecord(value) && value['type'] === 'Feature' && properties !== null
      // A list of plain objects is accepted as a table too.
      const fields = isFeature ? properties : isRecord(value) && value['type'] !== 'Feature' ? value : null
      records.push({
        row: ++row,
        fields:
          fields && Object.fromEntries(Object.entries(fields).map(([key, text]) => [key, toField(text)])),
        geometry: isRecord(value) ? (value['geometry'] ?? null) : null,
        source: value === undefined ? part.text : value,
      })
    }
    if (records.length) yield records
  }
  if (!hasFeatures) throw new CurbFileError('The file is JSON but has no list called “features”.')
}

async function* readRowRecords(file: CurbFile): AsyncGenerator<TableRecord[]> {
  let header: string[] | null = null
  let row = 0
  for await (const batch of readCsvRecords(readLines(toBuffers(file)))) {
    const records: TableRecord[] = []
    for (const { fields, raw } of batch) {
      if (!header) {
        header = readHeader(fields)
        continue
      }
      if (fields?.every((text) => text.trim() === '')) continue
      const fits = fields !== null && fields.length === header.length
      const named = fits
        ? Object.fromEntries(header.map((name, index) => [name, toField(fields[index])]))
        : null
      records.push({ row: ++row, fields: named, geometry: null, source: named ?? raw.slice(0, 10_000) })
    }
    if (records.length) yield records
  }
  if (!header) throw new CurbFileError('The file has no header line with the names of its columns.')
}

async function* toBuffers(file: CurbFile): AsyncGenerator<Buffer> {
  for await (const bytes of file.bytes()) yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Reads the names of the columns. Empty and repeated names get the number of their column. */
export function readHeader(fields: readonly string[] | null): string[] {
  if (!fields) throw new CurbFileError('The header line has a quotation mark that never closes.')
  const seen = new Set<string>()
  return fields.map((field, index) => {
    const name = toText(field.replace(/^\uFEFF/, ''), 200) ?? `column ${index + 1}`
    const unique = seen.has(name) ? `${name} ${index + 1}` : name
    seen.add(unique)
    return unique
  })
}

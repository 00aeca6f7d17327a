import { readCsvRecords } from '#server/table-files/csv-records.ts'
import { readLines } from '#server/table-files/text-lines.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { isRecord, toText } from '../checks/values.ts'
import { type CurbFile, CurbFileError } from '../curb-format.ts'
import { readJsonRecords } from '../json-records.ts'

/** A row of a CSV table, or a feature of GeoJSON. */
export interface TableRecord {
  row: number
  /** Trimmed values; '' for null and the usual words for it. Null if the row is broken. */
  fields: Readonly<Record<string, string>> | null
  geometry: unknown
  source: unknown
}

const emptyWords = /^(null|none|<null>|n\/a|na|-)$/i
/** Characters of a field, and of a row that cannot be read. */
const maxFieldLength = 2000
const maxRawLength = 10_000

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

/** Reads a table in batches: GeoJSON if the file begins with { or [, otherwise CSV with a header. */
export async function* readTableRecords(file: CurbFile): AsyncGenerator<TableRecord[]> {
  const isJson = /^\s*[[{]/.test((await readHead(file)).replace(/^\uFEFF/, ''))
  try {
    yield* isJson ? readFeatureRecords(file) : readRowRecords(file)
  } catch (error) {
    throw error instanceof TableFileError ? new CurbFileError(error.message) : error
  }
}

/** Yields the features of a GeoJSON file as records. */
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
      const plainObject = isRecord(value) && value['type'] !== 'Feature' ? value : null
      const fields = isFeature ? properties : plainObject
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

/** Yields the rows of a CSV file as records. */
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
      const isComplete = fields !== null && fields.length === header.length
      const namedFields = isComplete
        ? Object.fromEntries(header.map((name, index) => [name, toField(fields[index])]))
        : null
      records.push({
        row: ++row,
        fields: namedFields,
        geometry: null,
        source: namedFields ?? raw.slice(0, maxRawLength),
      })
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
  const usedNames = new Set<string>()
  return fields.map((field, index) => {
    const name = toText(field.replace(/^\uFEFF/, ''), 200) ?? `column ${index + 1}`
    const uniqueName = usedNames.has(name) ? `${name} ${index + 1}` : name
    usedNames.add(uniqueName)
    return uniqueName
  })
}

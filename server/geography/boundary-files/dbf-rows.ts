import { BoundaryFileError } from './boundary-file-error.ts'
import { isEncoding } from './decode-text.ts'

interface DbfRow {
  deleted: boolean
  values: Record<string, string | number | boolean | null>
}

interface Field {
  name: string
  type: string
  /** Of the cell in a row, in bytes. */
  offset: number
  length: number
}

/** An asterisk at the start of a row. */
const deletionMark = 0x2a
/** The byte after the last field of the header. */
const headerEnd = 0x0d

/** Common encodings by the "language driver" byte of the header (shapelib's table). */
const encodingsByDriver: Record<number, string> = {
  0x03: 'windows-1252',
  0x57: 'windows-1252',
  0x13: 'shift_jis',
  0x4d: 'gbk',
  0x4e: 'euc-kr',
  0x4f: 'big5',
  0x65: 'ibm866',
  0x64: 'ibm852',
  0xc8: 'windows-1250',
  0xc9: 'windows-1251',
  0xca: 'windows-1254',
  0xcb: 'windows-1253',
}

/**
 * Reads the rows of a .dbf file (dBASE III and later), also deleted ones. The encoding of text comes from the
 * .cpg file, else from the header. Without either, it is UTF-8 if the text is valid UTF-8, else Windows-1252.
 */
export function readDbfRows(bytes: Uint8Array, cpg: string | null, fileName: string): DbfRow[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 33)
    throw new BoundaryFileError('broken-shapefile', `${fileName} is cut off: it has no header.`)
  const headerLength = view.getUint16(8, true)
  const rowLength = view.getUint16(10, true)
  const data = bytes.subarray(headerLength)
  const decoder = new TextDecoder(
    findEncoding(cpg) ?? encodingsByDriver[bytes[29] ?? 0] ?? (isUtf8(data) ? 'utf-8' : 'windows-1252'),
  )
  const fields = readFields(bytes, headerLength, decoder)
  const rows: DbfRow[] = []
  // The count in the header may be wrong, so it is limited by the size of the file.
  const count = rowLength === 0 ? 0 : Math.min(view.getUint32(4, true), Math.floor(data.length / rowLength))
  for (let index = 0; index < count; index += 1) {
    const row = data.subarray(index * rowLength, (index + 1) * rowLength)
    const values: DbfRow['values'] = {}
    for (const field of fields)
      if (field.name !== '__proto__') values[field.name] = readCell(row, field, decoder)
    rows.push({ deleted: row[0] === deletionMark, values })
  }
  return rows
}

function readFields(bytes: Uint8Array, headerLength: number, decoder: TextDecoder): Field[] {
  const fields: Field[] = []
  // The first byte of a row is the deletion flag.
  let offset = 1
  for (
    let start = 32;
    start + 32 <= Math.min(headerLength, bytes.length) && bytes[start] !== headerEnd;
    start += 32
  ) {
    const end = bytes.subarray(start, start + 11).indexOf(0)
    const name = decoder.decode(bytes.subarray(start, start + (end < 0 ? 11 : end))).trim()
    const length = bytes[start + 16] ?? 0
    fields.push({ name, type: String.fromCharCode(bytes[start + 11] ?? 0), offset, length })
    offset += length
  }
  return fields
}

function readCell(row: Uint8Array, field: Field, decoder: TextDecoder): string | number | boolean | null {
  const cell = row.subarray(field.offset, field.offset + field.length)
  if (field.type === 'I' && cell.length === 4)
    return new DataView(cell.buffer, cell.byteOffset, 4).getInt32(0, true)
  if (field.type === 'M' || field.type === 'G' || field.type === 'P') return null
  // The fixed width may truncate text within a character, which leaves an invalid byte at the end.
  const text = decoder
    .decode(cell)
    .replaceAll('\0', '')
    .replace(/\uFFFD+$/, '')
    .trim()
  if (text === '') return null
  switch (field.type) {
    case 'N':
    case 'F':
      return parseNumber(text)
    case 'L':
      if (/^[yt]$/i.test(text)) return true
      return /^[nf]$/i.test(text) ? false : null
    case 'D':
      return /^\d{8}$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` : text
    default:
      return text
  }
}

/** Parses a number. Long codes remain text, as numbers would lose digits. Asterisks (overflow) are null. */
function parseNumber(text: string): string | number | null {
  const number = Number(text.replace(',', '.'))
  if (!Number.isFinite(number)) return null
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number
}

/** Finds the encoding named by a .cpg file, such as `UTF-8`, `1252` or `ISO 8859-1`; null if unknown. */
function findEncoding(cpg: string | null): string | null {
  if (cpg === null) return null
  const label = cpg.trim().toLowerCase()
  const digits = /(?:ansi|cp|windows|oem)?[ -]*(\d{3,5})$/.exec(label)?.[1] ?? ''
  const iso = /^(?:iso[ -]?)?8859[ -]?(\d{1,2})$/.exec(label)?.[1]
  const candidates = [
    label,
    iso === undefined ? '' : `iso-8859-${iso}`,
    digits === '65001' ? 'utf-8' : '',
    `windows-${digits}`,
    `ibm${digits}`,
  ]
  return candidates.find((candidate) => candidate !== '' && isEncoding(candidate)) ?? null
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

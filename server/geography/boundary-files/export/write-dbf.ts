import type { Cell, Column } from './export-format.ts'

export interface DbfColumn {
  name: string
  type: Column['type']
  cells: readonly Cell[]
}

/** Limits of dBASE III. */
const maxNameBytes = 10
const maxNumberLength = 20
const maxDecimals = 15
const maxTextBytes = 254

/**
 * Returns the field names of at most ten letters, digits and underscores, unique regardless of case. Equal
 * names get a number.
 */
export function toDbfNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((original) => {
    const base =
      original
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/g, '')
        .replace(/[^A-Za-z0-9_]+/g, '_')
        .slice(0, maxNameBytes) || 'field'
    let name = base
    for (let n = 1; used.has(name.toLowerCase()); n++)
      name = `${base.slice(0, maxNameBytes - 1 - String(n).length)}_${n}`
    used.add(name.toLowerCase())
    return name
  })
}

/** Truncates text to a number of UTF-8 bytes, never within a character. */
function truncate(text: string, bytes: number): Buffer {
  const encoded = Buffer.from(text)
  let end = Math.min(bytes, encoded.length)
  while (end > 0 && end < encoded.length && ((encoded[end] ?? 0) & 0xc0) === 0x80) end--
  return encoded.subarray(0, end)
}

const countDecimals = (value: number): number => /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0

const headerEnd = 0x0d
const fileEnd = 0x1a

interface Field {
  name: string
  type: 'C' | 'N' | 'L'
  length: number
  decimals: number
  cells: Buffer[]
}

function encodeField({ name, type, cells }: DbfColumn): Field {
  if (type === 'boolean')
    return {
      name,
      type: 'L',
      length: 1,
      decimals: 0,
      cells: cells.map((value) => Buffer.from(value === null ? '?' : value ? 'T' : 'F')),
    }
  const numbers = type === 'number' ? cells.filter((value) => typeof value === 'number') : []
  const decimals = Math.max(0, ...numbers.map(countDecimals))
  const texts = cells.map((value) =>
    typeof value === 'number' && type === 'number'
      ? value.toFixed(Math.min(decimals, maxDecimals))
      : String(value ?? ''),
  )
  const maxLength = Math.max(1, ...texts.map((value) => value.length))
  // Numbers that do not fit exactly are stored as text.
  const isNumber =
    type === 'number' &&
    maxLength <= maxNumberLength &&
    cells.every((value, index) => typeof value !== 'number' || Number(texts[index]) === value)
  if (isNumber)
    return {
      name,
      type: 'N',
      length: maxLength,
      decimals,
      cells: texts.map((value) => Buffer.from(value.padStart(maxLength))),
    }
  const fixedTexts = cells.map((value) => truncate(String(value ?? ''), maxTextBytes))
  return {
    name,
    type: 'C',
    length: fixedTexts.reduce((max, { length }) => Math.max(max, length), 1),
    decimals: 0,
    cells: fixedTexts,
  }
}

/** Writes a dBASE table in UTF-8, which a .cpg file must declare. Longer texts are truncated to 254 bytes. */
export function writeDbf(columns: readonly DbfColumn[], rowCount: number): Uint8Array {
  const names = toDbfNames(columns.map(({ name }) => name))
  const fields = columns.map((column, index) => encodeField({ ...column, name: names[index] ?? '' }))
  const rowLength = 1 + fields.reduce((sum, { length }) => sum + length, 0)
  const headerLength = 33 + 32 * fields.length
  const file = Buffer.alloc(headerLength + rowLength * rowCount + 1, ' ')
  file.fill(0, 0, headerLength)
  // Version 3, and a date (1980-01-01) that is fixed, so that equal contents give equal files.
  file.set([3, 80, 1, 1])
  file.writeUInt32LE(rowCount, 4)
  file.writeUInt16LE(headerLength, 8)
  file.writeUInt16LE(rowLength, 10)
  fields.forEach(({ name, type, length, decimals }, index) => {
    file.write(name, 32 + 32 * index, 'latin1')
    file.write(type, 43 + 32 * index, 'latin1')
    file.set([length, decimals], 48 + 32 * index)
  })
  file[headerLength - 1] = headerEnd
  // The first byte of a row is the deletion flag.
  let offset = 1
  for (const { length, cells } of fields) {
    cells.forEach((cell, row) => file.set(cell, headerLength + rowLength * row + offset))
    offset += length
  }
  file[file.length - 1] = fileEnd
  return file
}

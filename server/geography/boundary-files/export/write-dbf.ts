import type { Cell, Column } from './export-format.ts'

/** A column of the table. */
export interface DbfColumn {
  name: string
  type: Column['type']
  cells: readonly Cell[]
}

/** Limits of dBASE III: ten bytes of a field name, twenty characters of a number, 254 bytes of a text. */
const maxNameBytes = 10
const maxNumberLength = 20
const maxTextBytes = 254

/**
 * Field names of at most ten letters, digits and underscores, unique in any case; equal ones get a number.
 */
export function dbfNames(names: readonly string[]): string[] {
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

const digitsAfterPoint = (value: number): number => /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0

interface Field {
  name: string
  type: 'C' | 'N' | 'L'
  length: number
  decimals: number
  cells: Buffer[]
}

function fieldOf({ name, type, cells }: DbfColumn): Field {
  if (type === 'boolean')
    return {
      name,
      type: 'L',
      length: 1,
      decimals: 0,
      cells: cells.map((value) => Buffer.from(value === null ? '?' : value ? 'T' : 'F')),
    }
  const numbers = type === 'number' ? cells.filter((value) => typeof value === 'number') : []
  const decimals = Math.max(0, ...numbers.map(digitsAfterPoint))
  const texts = cells.map((value) =>
    typeof value === 'number' && type === 'number'
      ? value.toFixed(Math.min(decimals, 15))
      : String(value ?? ''),
  )
  const longest = Math.max(1, ...texts.map((value) => value.length))
  // Numbers that do not fit exactly are stored as text.
  const isNumber =
    type === 'number' &&
    longest <= maxNumberLength &&
    cells.every((value, at) => typeof value !== 'number' || Number(texts[at]) === value)
  if (isNumber)
    return {
      name,
      type: 'N',
      length: longest,
      decimals,
      cells: texts.map((value) => Buffer.from(value.padStart(longest))),
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
export function writeDbf(columns: readonly DbfColumn[], rows: number): Uint8Array {
  const names = dbfNames(columns.map(({ name }) => name))
  const all = columns.map((column, at) => fieldOf({ ...column, name: names[at] ?? '' }))
  const rowLength = 1 + all.reduce((sum, { length }) => sum + length, 0)
  const headerLength = 33 + 32 * all.length
  const file = Buffer.alloc(headerLength + rowLength * rows + 1, ' ')
  file.fill(0, 0, headerLength)
  file.set([3, 80, 1, 1])
  file.writeUInt32LE(rows, 4)
  file.writeUInt16LE(headerLength, 8)
  file.writeUInt16LE(rowLength, 10)
  all.forEach(({ name, type, length, decimals }, at) => {
    file.write(name, 32 + 32 * at, 'latin1')
    file.write(type, 43 + 32 * at, 'latin1')
    file.set([length, decimals], 48 + 32 * at)
  })
  file[headerLength - 1] = 0x0d
  let from = 1
  for (const { length, cells } of all) {
    cells.forEach((cell, row) => file.set(cell, headerLength + rowLength * row + from))
    from += length
  }
  file[file.length - 1] = 0x1a
  return file
}

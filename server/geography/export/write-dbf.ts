import type { Cell, Column } from './exported-columns.ts'

/** A column as the table has it. */
export interface DbfColumn {
  name: string
  type: Column['type']
  cells: readonly Cell[]
}

/** A field name has ten bytes, a number twenty signs, a text 254 bytes (dBASE III). */
const nameLength = 10
const numberLength = 20
const textLength = 254

/** Names of ten letters, digits and underscores, each once in any case; what is cut to the same is told apart by a number. */
export function dbfNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((given) => {
    const base =
      given
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/g, '')
        .replace(/[^A-Za-z0-9_]+/g, '_')
        .slice(0, nameLength) || 'field'
    let name = base
    for (let n = 1; taken.has(name.toLowerCase()); n++)
      name = `${base.slice(0, nameLength - 1 - String(n).length)}_${n}`
    taken.add(name.toLowerCase())
    return name
  })
}

/** Text cut to so many bytes, never within a character. */
function cut(text: string, bytes: number): Buffer {
  const whole = Buffer.from(text)
  let end = Math.min(bytes, whole.length)
  while (end > 0 && end < whole.length && ((whole[end] ?? 0) & 0xc0) === 0x80) end--
  return whole.subarray(0, end)
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
  const shown = cells.map((value) =>
    typeof value === 'number' && type === 'number'
      ? value.toFixed(Math.min(decimals, 15))
      : String(value ?? ''),
  )
  const longest = Math.max(1, ...shown.map((value) => value.length))
  // Numbers that twenty signs cannot hold exactly go as text.
  const isNumber =
    type === 'number' &&
    longest <= numberLength &&
    cells.every((value, at) => typeof value !== 'number' || Number(shown[at]) === value)
  if (isNumber)
    return {
      name,
      type: 'N',
      length: longest,
      decimals,
      cells: shown.map((value) => Buffer.from(value.padStart(longest))),
    }
  const texts = cells.map((value) => cut(String(value ?? ''), textLength))
  return {
    name,
    type: 'C',
    length: texts.reduce((most, { length }) => Math.max(most, length), 1),
    decimals: 0,
    cells: texts,
  }
}

/** A dBASE table in UTF-8, to which a .cpg file must say so. Longer texts are cut to 254 bytes. */
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

import { BoundaryFileError } from './boundary-file-error.ts'

const signature = 'SQLite format 3\0'
/** Types of pages. Interior pages refer to other pages; leaf pages contain rows. */
const leafPage = 0x0d
const interiorPage = 0x05

/** A row with its row id, which is not part of its record. */
export interface SqliteRow {
  rowId: number
  values: SqliteValue[]
}

/** Reads tables of an SQLite database in order of row ids (https://www.sqlite.org/fileformat2.html). */
export class SqliteFile {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #pageSize: number
  /** Size of a page without the reserved bytes at its end. */
  readonly #usableSize: number
  readonly #decoder: TextDecoder
  /** Whether the latest changes may be in a write-ahead log that was not uploaded. */
  readonly hasLog: boolean

  constructor(bytes: Uint8Array) {
    if (bytes.length < 512 || String.fromCharCode(...bytes.subarray(0, 16)) !== signature)
      throw brokenSqlite('it does not begin like one')
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    // 65,536 does not fit into two bytes and is stored as 1.
    const storedSize = this.#view.getUint16(16)
    this.#pageSize = storedSize === 1 ? 65_536 : storedSize
    this.#usableSize = this.#pageSize - (bytes[20] ?? 0)
    const isPowerOfTwo = (this.#pageSize & (this.#pageSize - 1)) === 0
    if (this.#pageSize < 512 || !isPowerOfTwo || this.#usableSize < 480)
      throw brokenSqlite('its page size is impossible')
    this.#decoder = new TextDecoder(
      ['utf-8', 'utf-8', 'utf-16le', 'utf-16be'][this.#view.getUint32(56)] ?? 'utf-8',
    )
    this.hasLog = bytes[18] === 2
  }

  /** Returns rows of the table with this root page, in order of row ids. The root of the schema is page 1. */
  *rows(root: number): Generator<SqliteRow> {
    const visited = new Set<number>()
    const stack = [root]
    for (let page = stack.pop(); page !== undefined; page = stack.pop()) {
      if (visited.has(page)) throw brokenSqlite('its pages go round in a circle')
      visited.add(page)
      const start = this.#findPage(page)
      // The first page starts with the header of the file.
      const offset = page === 1 ? start + 100 : start
      const type = this.#bytes[offset]
      const count = this.#view.getUint16(offset + 3)
      const cells = Array.from(
        { length: count },
        (_, index) => start + this.#view.getUint16(offset + (type === interiorPage ? 12 : 8) + 2 * index),
      )
      if (type === interiorPage) {
        // Pushed from right to left, because the stack returns the last one first.
        stack.push(
          this.#view.getUint32(offset + 8),
          ...cells.map((cell) => this.#view.getUint32(cell)).reverse(),
        )
      } else if (type === leafPage)
        for (const cell of cells)
          yield {
            rowId: readVarint(this.#bytes, readVarint(this.#bytes, cell).next).value,
            values: readRecord(this.#readPayload(cell), this.#decoder),
          }
      else throw brokenSqlite('a table’s page is not one')
    }
  }

  /** Returns the offset of a page in the file. */
  #findPage(page: number): number {
    const start = (page - 1) * this.#pageSize
    if (page < 1 || start + this.#pageSize > this.#bytes.length) throw brokenSqlite('a page is missing')
    return start
  }

  /** Returns the payload of a cell, with its overflow pages. The constants are those of the file format. */
  #readPayload(cell: number): Uint8Array {
    const size = readVarint(this.#bytes, cell)
    const from = readVarint(this.#bytes, size.next).next
    const maxLocal = this.#usableSize - 35
    if (size.value <= maxLocal) return this.#slice(from, size.value)
    const minLocal = Math.floor(((this.#usableSize - 12) * 32) / 255) - 23
    const fitting = minLocal + ((size.value - minLocal) % (this.#usableSize - 4))
    const local = fitting <= maxLocal ? fitting : minLocal
    if (size.value > this.#bytes.length) throw brokenSqlite('a row is longer than the file')
    const payload = new Uint8Array(size.value)
    payload.set(this.#slice(from, local))
    let filled = local
    let nextPage = this.#view.getUint32(from + local)
    while (filled < size.value) {
      const start = this.#findPage(nextPage)
      const part = this.#slice(start + 4, Math.min(this.#usableSize - 4, size.value - filled))
      payload.set(part, filled)
      filled += part.length
      nextPage = this.#view.getUint32(start)
    }
    return payload
  }

  #slice(from: number, length: number): Uint8Array {
    if (from + length > this.#bytes.length) throw brokenSqlite('it is cut off')
    return this.#bytes.subarray(from, from + length)
  }
}

export type SqliteValue = string | number | null | Uint8Array

/** Length of integers in bytes, by serial type. */
const intLengths = [0, 1, 2, 3, 4, 6, 8]

/**
 * Reads the values of a record (SQLite file format, section 2.1). Integers beyond 53 bits are text, because
 * numbers would lose digits.
 */
export function readRecord(payload: Uint8Array, decoder: TextDecoder): SqliteValue[] {
  const header = readVarint(payload, 0)
  const values: SqliteValue[] = []
  let offset = header.value
  for (let headerOffset = header.next; headerOffset < header.value;) {
    const { value: type, next } = readVarint(payload, headerOffset)
    headerOffset = next
    // Types from 12 are blobs (even) and texts (odd), and contain the length; 7 is a double.
    const length = type >= 12 ? Math.floor((type - 12) / 2) : type === 7 ? 8 : (intLengths[type] ?? 0)
    if (offset + length > payload.length) throw new RangeError('record out of bounds')
    values.push(readValue(type, payload.subarray(offset, offset + length), decoder))
    offset += length
  }
  return values
}

function readValue(type: number, bytes: Uint8Array, decoder: TextDecoder): SqliteValue {
  if (type >= 12) return type % 2 ? decoder.decode(bytes) : bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (type) {
    case 1:
      return view.getInt8(0)
    case 2:
      return view.getInt16(0)
    case 3:
      return view.getInt8(0) * 65536 + view.getUint16(1)
    case 4:
      return view.getInt32(0)
    case 5:
      return view.getInt16(0) * 2 ** 32 + view.getUint32(2)
    case 6: {
      const integer = view.getBigInt64(0)
      return Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer)
    }
    case 7:
      return view.getFloat64(0)
    case 9:
      return 1
    case 8:
      return 0
    default:
      return null
  }
}

/** Reads an SQLite varint: up to nine bytes, high bits first. Values beyond 53 bits lose precision. */
export function readVarint(bytes: Uint8Array, offset: number): { value: number; next: number } {
  let value = 0
  for (let index = 0; index < 8; index++) {
    const byte = bytes[offset + index]
    if (byte === undefined) throw new RangeError('varint out of bounds')
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, next: offset + index + 1 }
  }
  const last = bytes[offset + 8]
  if (last === undefined) throw new RangeError('varint out of bounds')
  return { value: value * 256 + last, next: offset + 9 }
}

/** Returns the error of a damaged database, with a message for the user who uploaded it. */
export const brokenSqlite = (reason: string): BoundaryFileError =>
  new BoundaryFileError(
    'broken-geopackage',
    `The GeoPackage is damaged: ${reason}. Was it uploaded or downloaded completely?`,
  )

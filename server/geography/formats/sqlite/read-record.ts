import { readVarint } from './read-varint.ts'

export type SqliteValue = string | number | null | Uint8Array

const intLengths = [0, 1, 2, 3, 4, 6, 8]

/**
 * Reads the values of a record (SQLite file format, section 2.1). Integers beyond 53 bits are text, because
 * numbers would lose digits.
 */
export function readRecord(payload: Uint8Array, decoder: TextDecoder): SqliteValue[] {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
  const header = readVarint(payload, 0)
  const values: SqliteValue[] = []
  let at = header.value
  for (let head = header.next; head < header.value;) {
    const { value: type, next } = readVarint(payload, head)
    head = next
    const length = type >= 12 ? Math.floor((type - 12) / 2) : type === 7 ? 8 : (intLengths[type] ?? 0)
    if (at + length > payload.length) throw new RangeError('record out of bounds')
    values.push(valueOf(type, payload.subarray(at, at + length), view, at, decoder))
    at += length
  }
  return values
}

function valueOf(
  type: number,
  bytes: Uint8Array,
  view: DataView,
  at: number,
  decoder: TextDecoder,
): SqliteValue {
  if (type >= 12) return type % 2 ? decoder.decode(bytes) : bytes
  switch (type) {
    case 1:
      return view.getInt8(at)
    case 2:
      return view.getInt16(at)
    case 3:
      return view.getInt8(at) * 65536 + view.getUint16(at + 1)
    case 4:
      return view.getInt32(at)
    case 5:
      return view.getInt16(at) * 2 ** 32 + view.getUint32(at + 2)
    case 6: {
      const whole = view.getBigInt64(at)
      return Number.isSafeInteger(Number(whole)) ? Number(whole) : String(whole)
    }
    case 7:
      return view.getFloat64(at)
    case 9:
      return 1
    case 8:
      return 0
    default:
      return null
  }
}

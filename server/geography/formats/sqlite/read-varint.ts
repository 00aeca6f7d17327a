/**
 * Reads an SQLite varint: up to nine bytes, high bits first. Values beyond 53 bits (huge row ids) lose
 * precision.
 */
export function readVarint(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0
  for (let index = 0; index < 8; index++) {
    const byte = bytes[at + index]
    if (byte === undefined) throw new RangeError('varint out of bounds')
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, next: at + index + 1 }
  }
  const last = bytes[at + 8]
  if (last === undefined) throw new RangeError('varint out of bounds')
  return { value: value * 256 + last, next: at + 9 }
}

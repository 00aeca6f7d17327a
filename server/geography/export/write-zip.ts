import { crc32, deflateRawSync } from 'node:zlib'

interface Entry {
  name: string
  bytes: Uint8Array
}

/** 1 January 1980, the earliest that a zip can tell: the same content makes the same file. */
const dosDate = 0x21
const utf8Names = 0x800

/** Bytes of a field list: each its length in bytes and its value, little-endian. */
function fields(...values: readonly (readonly [2 | 4, number])[]): Buffer {
  const bytes = Buffer.alloc(values.reduce((sum, [length]) => sum + length, 0))
  values.reduce((at, [length, value]) => bytes.writeUIntLE(value >>> 0, at, length), 0)
  return bytes
}

/** A zip of a few files, each under 4 GB. */
export function* writeZip(entries: readonly Entry[]): Generator<Uint8Array> {
  const directory: Buffer[] = []
  let at = 0
  for (const { name, bytes } of entries) {
    const title = Buffer.from(name)
    const packed = deflateRawSync(bytes)
    const about = [
      [2, 20],
      [2, utf8Names],
      [2, 8],
      [2, 0],
      [2, dosDate],
      [4, crc32(bytes)],
      [4, packed.length],
      [4, bytes.length],
      [2, title.length],
    ] as const
    const local = Buffer.concat([fields([4, 0x04034b50], ...about, [2, 0]), title])
    directory.push(
      fields([4, 0x02014b50], [2, 20], ...about, [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, at]),
      title,
    )
    yield local
    yield packed
    at += local.length + packed.length
  }
  const table = Buffer.concat(directory)
  yield table
  yield fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
    [4, table.length],
    [4, at],
    [2, 0],
  )
}

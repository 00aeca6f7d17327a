import { crc32, deflateRawSync } from 'node:zlib'

interface Entry {
  name: string
  bytes: Uint8Array
}

/** January 1, 1980, the earliest date of the format. It is fixed, so that equal contents give equal files. */
const dosDate = 0x21
/** The flag for file names in UTF-8. */
const utf8Names = 0x800

/** Encodes fields, each given by its length in bytes and value, as little-endian. */
function fields(...values: readonly (readonly [2 | 4, number])[]): Buffer {
  const bytes = Buffer.alloc(values.reduce((sum, [length]) => sum + length, 0))
  values.reduce((offset, [length, value]) => bytes.writeUIntLE(value >>> 0, offset, length), 0)
  return bytes
}

/** Writes a zip of a few files, each smaller than 4 GB. */
export function* writeZip(entries: readonly Entry[]): Generator<Uint8Array> {
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of entries) {
    const encodedName = Buffer.from(name)
    const compressed = deflateRawSync(bytes)
    const common = [
      [2, 20],
      [2, utf8Names],
      [2, 8],
      [2, 0],
      [2, dosDate],
      [4, crc32(bytes)],
      [4, compressed.length],
      [4, bytes.length],
      [2, encodedName.length],
    ] as const
    const local = Buffer.concat([fields([4, 0x04034b50], ...common, [2, 0]), encodedName])
    directory.push(
      fields([4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
      encodedName,
    )
    yield local
    yield compressed
    offset += local.length + compressed.length
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
    [4, offset],
    [2, 0],
  )
}

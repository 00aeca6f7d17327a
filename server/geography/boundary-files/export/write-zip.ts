import { crc32, deflateRawSync } from 'node:zlib'

interface Entry {
  name: string
  bytes: Uint8Array
}

/** Signatures of the records of a zip archive. */
const localHeaderSignature = 0x04034b50
const directoryEntrySignature = 0x02014b50
const directoryEndSignature = 0x06054b50
/** The version of the format that is required for deflate, 2.0. */
const zipVersion = 20
const deflateMethod = 8
/** January 1, 1980, the earliest date of the format. It is fixed, so that equal contents give equal files. */
const dosDate = 0x21
const dosTime = 0
/** The flag for file names in UTF-8. */
const utf8Names = 0x800

/** Encodes fields, each given by its length in bytes and value, as little-endian. */
function encodeFields(...fields: readonly (readonly [2 | 4, number])[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [length]) => sum + length, 0))
  fields.reduce((offset, [length, value]) => bytes.writeUIntLE(value >>> 0, offset, length), 0)
  return bytes
}

/** Writes a zip archive of a few files. Sizes and offsets have 32 bits, so it must be smaller than 4 GB. */
export function* writeZip(entries: readonly Entry[]): Generator<Uint8Array> {
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of entries) {
    const encodedName = Buffer.from(name)
    const compressed = deflateRawSync(bytes)
    // The fields that the local header and the directory entry have in common.
    const common = [
      [2, zipVersion],
      [2, utf8Names],
      [2, deflateMethod],
      [2, dosTime],
      [2, dosDate],
      [4, crc32(bytes)],
      [4, compressed.length],
      [4, bytes.length],
      [2, encodedName.length],
    ] as const
    const extraFieldLength = [2, 0] as const
    const localHeader = encodeFields([4, localHeaderSignature], ...common, extraFieldLength)
    directory.push(
      encodeFields(
        [4, directoryEntrySignature],
        [2, zipVersion],
        ...common,
        extraFieldLength,
        // Length of the comment, number of the disk, internal and external attributes.
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, offset],
      ),
      encodedName,
    )
    yield localHeader
    yield encodedName
    yield compressed
    offset += localHeader.length + encodedName.length + compressed.length
  }
  const directoryBytes = Buffer.concat(directory)
  yield directoryBytes
  yield encodeFields(
    [4, directoryEndSignature],
    // Numbers of this disk and of the disk with the directory.
    [2, 0],
    [2, 0],
    // Entries on this disk and in total.
    [2, entries.length],
    [2, entries.length],
    [4, directoryBytes.length],
    [4, offset],
    // Length of the comment.
    [2, 0],
  )
}

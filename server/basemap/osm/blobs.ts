import type { FileHandle } from 'node:fs/promises'
import { inflateSync } from 'node:zlib'
import { OsmFileError } from './osm-file-error.ts'
import { WireReader } from './wire-reader.ts'

/** A blob of the file, still compressed. */
export interface Blob {
  type: 'OSMHeader' | 'OSMData'
  /** The position of its data in the file. */
  offset: number
  length: number
}

/** Limits of the PBF format, in bytes. */
const headerLimit = 64 * 1024
const blobLimit = 32 * 1024 * 1024

const notOsmFile = 'This is not an OpenStreetMap file in the PBF format (.osm.pbf).'
const cutOff = 'The file is cut off: it ends in the middle. Download it again.'

/** Reads bytes of a file. @throws OsmFileError if it ends before. */
async function readBytes(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled)
    if (bytesRead === 0) throw new OsmFileError(cutOff)
    filled += bytesRead
  }
  return bytes
}

/** Lists all blobs of a file in order. Reads only their headers. */
export async function listBlobs(file: FileHandle, size: number): Promise<Blob[]> {
  if (size === 0) throw new OsmFileError('The file is empty.')
  const blobs: Blob[] = []
  for (let position = 0; position < size;) {
    const problem = blobs.length ? 'The file is damaged: a part of it has no header.' : notOsmFile
    if (size - position < 4) throw new OsmFileError(blobs.length ? cutOff : notOsmFile)
    const headerLength = (await readBytes(file, position, 4)).readUInt32BE(0)
    if (headerLength === 0 || headerLength > headerLimit) throw new OsmFileError(problem)
    if (position + 4 + headerLength > size) throw new OsmFileError(blobs.length ? cutOff : notOsmFile)
    const { type, length } = readHeader(await readBytes(file, position + 4, headerLength), problem)
    if (blobs.length === 0 && type !== 'OSMHeader') throw new OsmFileError(notOsmFile)
    if (length < 0 || length > blobLimit) throw new OsmFileError(problem)
    const offset = position + 4 + headerLength
    position = offset + length
    if (position > size) throw new OsmFileError(cutOff)
    // Blobs of unknown types must be skipped.
    if (type === 'OSMHeader' || type === 'OSMData') blobs.push({ type, offset, length })
  }
  return blobs
}

/** Reads the type and length of a blob. @throws OsmFileError with the message `problem` */
function readHeader(bytes: Uint8Array, problem: string): { type: string; length: number } {
  const reader = new WireReader(bytes)
  let type = ''
  let length = -1
  try {
    for (let field = reader.readField(); field !== 0; field = reader.readField()) {
      if (field === 1) type = reader.readText()
      else if (field === 3) length = reader.readVarint()
      else reader.skip()
    }
  } catch {
    throw new OsmFileError(problem)
  }
  return { type, length }
}

/** Unsupported compressions by their field number in a blob. */
const unsupportedCompressions: Record<number, string> = { 4: 'LZMA', 5: 'bzip2', 6: 'LZ4', 7: 'Zstandard' }

/** Returns the decompressed bytes of a blob. */
export async function unpackBlob(file: FileHandle, { offset, length }: Blob): Promise<Uint8Array> {
  const reader = new WireReader(await readBytes(file, offset, length))
  let declaredSize: number | null = null
  let compressed: Uint8Array | null = null
  for (let field = reader.readField(); field !== 0; field = reader.readField()) {
    if (field === 1) return reader.readSlice()
    if (field === 2) declaredSize = reader.readVarint()
    else if (field === 3) compressed = reader.readSlice()
    else if (unsupportedCompressions[field])
      throw new OsmFileError(
        `The file is compressed with ${unsupportedCompressions[field]}; only zlib is supported. Convert it, for example with: osmium cat -f pbf,pbf_compression=zlib`,
      )
    else reader.skip()
  }
  if (!compressed) throw new OsmFileError('The file is damaged: a part of it is empty.')
  if (declaredSize !== null && declaredSize > blobLimit)
    throw new OsmFileError('The file is damaged: a part of it is larger than the format allows.')
  return inflate(compressed, declaredSize)
}

function inflate(compressed: Uint8Array, declaredSize: number | null): Uint8Array {
  let bytes: Uint8Array
  try {
    bytes = inflateSync(compressed, { maxOutputLength: declaredSize ?? blobLimit })
  } catch (error) {
    const isLarger = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new OsmFileError(
      isLarger
        ? 'The file is damaged: a part of it decompresses to more than its declared size.'
        : 'The file is damaged: a part of it cannot be decompressed.',
    )
  }
  if (declaredSize !== null && bytes.length !== declaredSize)
    throw new OsmFileError('The file is damaged: a part of it decompresses to less than its declared size.')
  return bytes
}

import type { FileHandle } from 'node:fs/promises'
import { inflateSync } from 'node:zlib'
import { OsmFileError } from './osm-file-error.ts'
import { WireReader } from './wire-reader.ts'

/** A piece of the file, not yet unpacked. */
export interface Blob {
  type: 'OSMHeader' | 'OSMData'
  /** Where its data stand in the file. */
  offset: number
  length: number
}

/** Limits of the format; what is larger is no such file. */
const headerLimit = 64 * 1024
const blobLimit = 32 * 1024 * 1024

const noOsmFile = 'This is no OpenStreetMap file in the PBF format (.osm.pbf).'
const cutOff = 'The file is cut off: it ends in the middle. Download it again.'

async function bytesAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled)
    if (bytesRead === 0) throw new OsmFileError(cutOff)
    filled += bytesRead
  }
  return bytes
}

/** All pieces of a file in their order, by their headers alone. */
export async function listBlobs(file: FileHandle, size: number): Promise<Blob[]> {
  if (size === 0) throw new OsmFileError('The file is empty.')
  const blobs: Blob[] = []
  for (let at = 0; at < size;) {
    const strange = blobs.length ? 'The file is damaged: a part of it has no header.' : noOsmFile
    if (size - at < 4) throw new OsmFileError(blobs.length ? cutOff : noOsmFile)
    const headerLength = (await bytesAt(file, at, 4)).readUInt32BE(0)
    if (headerLength === 0 || headerLength > headerLimit) throw new OsmFileError(strange)
    if (at + 4 + headerLength > size) throw new OsmFileError(blobs.length ? cutOff : noOsmFile)
    const { type, length } = readHeader(await bytesAt(file, at + 4, headerLength), strange)
    if (blobs.length === 0 && type !== 'OSMHeader') throw new OsmFileError(noOsmFile)
    if (length < 0 || length > blobLimit) throw new OsmFileError(strange)
    const offset = at + 4 + headerLength
    at = offset + length
    if (at > size) throw new OsmFileError(cutOff)
    // The format allows for pieces of other kinds, to be passed over.
    if (type === 'OSMHeader' || type === 'OSMData') blobs.push({ type, offset, length })
  }
  return blobs
}

function readHeader(bytes: Uint8Array, strange: string): { type: string; length: number } {
  const reader = new WireReader(bytes)
  let [type, length] = ['', -1]
  try {
    for (let field = reader.field(); field !== 0; field = reader.field()) {
      if (field === 1) type = reader.text()
      else if (field === 3) length = reader.varint()
      else reader.skip()
    }
  } catch {
    throw new OsmFileError(strange)
  }
  return { type, length }
}

const packings: Record<number, string> = { 4: 'LZMA', 5: 'bzip2', 6: 'LZ4', 7: 'Zstandard' }

/** The unpacked bytes of a piece. */
export async function unpackBlob(file: FileHandle, { offset, length }: Blob): Promise<Uint8Array> {
  const reader = new WireReader(await bytesAt(file, offset, length))
  let told: number | null = null
  let packed: Uint8Array | null = null
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) return reader.slice()
    if (field === 2) told = reader.varint()
    else if (field === 3) packed = reader.slice()
    else if (packings[field])
      throw new OsmFileError(
        `The file is packed with ${packings[field]}; zlib is read. Repack it, for instance with: osmium cat -f pbf,pbf_compression=zlib`,
      )
    else reader.skip()
  }
  if (!packed) throw new OsmFileError('The file is damaged: a part of it is empty.')
  if (told !== null && told > blobLimit)
    throw new OsmFileError('The file is damaged: a part of it says that it is larger than the format allows.')
  return inflated(packed, told)
}

function inflated(packed: Uint8Array, told: number | null): Uint8Array {
  let bytes: Uint8Array
  try {
    bytes = inflateSync(packed, { maxOutputLength: told ?? blobLimit })
  } catch (error) {
    const isLarger = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new OsmFileError(
      isLarger
        ? 'The file is damaged: a part of it unpacks to more than it says.'
        : 'The file is damaged: a part of it cannot be unpacked.',
    )
  }
  if (told !== null && bytes.length !== told)
    throw new OsmFileError('The file is damaged: a part of it unpacks to less than it says.')
  return bytes
}

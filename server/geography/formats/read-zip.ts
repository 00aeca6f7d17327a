import { crc32, inflateRawSync } from 'node:zlib'
import { BoundaryFileError } from './boundary-file-error.ts'
import { limits } from './limits.ts'

interface ZipEntry {
  /** Name in the zip. Only for messages and matching extensions, never a path to write to. */
  name: string
  /** Declared size after decompression in bytes, which `unpack` enforces. */
  size: number
  unpack(): Uint8Array
}

const endSignature = 0x06054b50
const centralSignature = 0x02014b50
const localSignature = 0x04034b50

/**
 * Lists the entries of a zip. Count and sizes are checked against the limits before anything is decompressed,
 * and entries that are larger than declared are refused, so that zip bombs have no effect.
 */
export function readZip(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endRecord(view)
  const count = view.getUint16(end + 10, true)
  if (count > limits.zipEntries)
    throw tooLarge(
      `holds ${count.toLocaleString('en')} files; at most ${limits.zipEntries.toLocaleString('en')} are read`,
    )
  const entries: ZipEntry[] = []
  let total = 0
  let at = view.getUint32(end + 16, true)
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== centralSignature)
      throw broken('its table of contents is damaged')
    const nameEnd = at + 46 + view.getUint16(at + 28, true)
    const size = view.getUint32(at + 24, true)
    total += size
    if (total > limits.unzippedBytes)
      throw tooLarge(`would unpack to more than ${limits.unzippedBytes / 2 ** 20} MB`)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, nameEnd))
    const header = at
    entries.push({ name, size, unpack: () => unpack(bytes, view, header, name) })
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function unpack(bytes: Uint8Array, view: DataView, header: number, name: string): Uint8Array {
  const method = view.getUint16(header + 10, true)
  const packedSize = view.getUint32(header + 20, true)
  const size = view.getUint32(header + 24, true)
  const local = view.getUint32(header + 42, true)
  if ((view.getUint16(header + 8, true) & 1) !== 0)
    throw new BoundaryFileError(
      'zip-encrypted',
      `The zip is locked with a password (${name}). Make one without and send it again.`,
    )
  if (local + 30 > bytes.length || view.getUint32(local, true) !== localSignature)
    throw broken(`${name} is missing from it`)
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const packed = bytes.subarray(start, start + packedSize)
  if (packed.length !== packedSize) throw broken(`${name} is cut off`)
  if (method !== 0 && method !== 8) throw broken(`${name} is packed in an unusual way (method ${method})`)
  let content: Uint8Array = packed
  if (method === 8) {
    try {
      // Stops one byte after the declared size, which is enough to detect a wrong one.
      content = inflateRawSync(packed, { maxOutputLength: size + 1 })
    } catch {
      throw broken(`${name} cannot be unpacked`)
    }
  }
  if (content.length !== size) throw broken(`${name} is not as long as the zip says`)
  if (crc32(content) !== view.getUint32(header + 16, true)) throw broken(`the checksum of ${name} is wrong`)
  return content
}

/** Offset of the end-of-directory record, which may be followed by a comment of up to 64 KB. */
function endRecord(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at -= 1) {
    if (view.getUint32(at, true) === endSignature) return at
  }
  throw broken('its end is missing')
}

function broken(reason: string): BoundaryFileError {
  return new BoundaryFileError(
    'broken-zip',
    `The zip file is damaged: ${reason}. Was it uploaded or downloaded completely?`,
  )
}

function tooLarge(reason: string): BoundaryFileError {
  return new BoundaryFileError('zip-too-large', `The zip file ${reason}.`)
}

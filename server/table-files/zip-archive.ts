import fs from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'

/** A zip archive cannot be read. The message is for the user who sent it. */
export class ZipError extends Error {
  override name = 'ZipError'
}

const createDamageError = (reason: string): ZipError =>
  new ZipError(`The zip archive is damaged: ${reason}. Nothing was stored. Send the file again.`)

/** Returns `problem` in place of an error of yauzl, but returns errors of the file system unchanged. */
const replaceUnlessSystem = (error: unknown, problem: ZipError): unknown =>
  (error as NodeJS.ErrnoException).syscall ? error : problem

const maxEntries = 2000
/** The maximum size of names, comments and extra fields; 2,000 ordinary entries need a small part of it. */
const maxDirectoryBytes = 8 * 1024 * 1024

/** Bytes read and decompressed at a time. Smaller chunks would cost more turns of the event loop. */
const chunkBytes = 256 * 1024

/** Returns whether a file begins like a zip archive: with `PK\x03\x04` or, if it is empty, `PK\x05\x06`. */
export const isZip = (head: Uint8Array): boolean =>
  head[0] === 0x50 &&
  head[1] === 0x4b &&
  ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))

/** The bytes of an archive on disk or in memory. */
interface Source {
  size: number
  read(target: Buffer, position: number): Promise<unknown>
  stream(start: number, end: number): Readable
  close(): Promise<void>
}

const createMemorySource = (bytes: Uint8Array): Source => ({
  size: bytes.length,
  read: async (target, position) => target.set(bytes.subarray(position, position + target.length)),
  stream: (start, end) => Readable.from([Buffer.from(bytes.subarray(start, end))]),
  close: async () => undefined,
})

async function openFileSource(filePath: string): Promise<Source> {
  const file = await fs.promises.open(filePath)
  return {
    size: (await file.stat()).size,
    read: (target, position) => file.read(target, 0, target.length, position),
    stream: (start, end) =>
      end > start
        ? file.createReadStream({ start, end: end - 1, highWaterMark: chunkBytes, autoClose: false })
        : Readable.from([]),
    close: () => file.close(),
  }
}

/** The reader for yauzl. It checks positions: yauzl does not, and Node would throw for invalid ones. */
class SourceReader extends RandomAccessReader {
  readonly #source: Source
  constructor(source: Source) {
    super()
    this.#source = source
  }
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const isInside = position + length <= this.#source.size
    const read = isInside
      ? this.#source.read(buffer.subarray(offset, offset + length), position)
      : Promise.reject(new Error('A position is outside of the archive'))
    read.then(() => callback(null), callback)
  }
}

export interface ZipEntry {
  /** For messages and extensions only; not safe as a path to write to. */
  name: string
  packedBytes: number
  /** The decompressed size that the archive declares and `unpack` enforces. */
  bytes: number
  record: Entry
}

/** Decodes a name as UTF-8 if possible, because many programs use UTF-8 without the flag for it. */
function decodeName({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fileNameRaw).replaceAll('\\', '/')
  } catch {
    return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
  }
}

/** Lists the entries. @throws ZipError if there are too many. */
async function listEntries(zip: ZipFile): Promise<ZipEntry[]> {
  if (zip.entryCount > maxEntries)
    throw new ZipError(
      `The zip archive contains ${zip.entryCount.toLocaleString('en')} files; the limit is ${maxEntries.toLocaleString('en')}. Send it in parts.`,
    )
  const entries: ZipEntry[] = []
  let directoryBytes = 0
  for await (const record of zip.eachEntry()) {
    directoryBytes += record.fileNameLength + record.extraFieldLength + record.fileCommentLength
    if (directoryBytes > maxDirectoryBytes) throw createDamageError('its table of contents is too long')
    entries.push({
      name: decodeName(record),
      packedBytes: record.compressedSize,
      bytes: record.uncompressedSize,
      record,
    })
  }
  return entries
}

/**
 * A zip archive with its table of contents. Entries are decompressed as streams; sizes and checksums are
 * verified. All methods throw ZipError if the archive is damaged, encrypted, too long or compressed with an
 * unsupported method. The caller must limit `unpackedBytes`.
 */
export class ZipArchive {
  readonly #zip: ZipFile
  readonly #source: Source
  /** In the order of the archive. */
  readonly entries: readonly ZipEntry[]
  /** The size of the archive itself. */
  readonly bytes: number
  /** The decompressed size of all entries, as declared. */
  readonly unpackedBytes: number

  private constructor(zip: ZipFile, source: Source, entries: readonly ZipEntry[]) {
    this.#zip = zip
    this.#source = source
    this.entries = entries
    this.bytes = source.size
    this.unpackedBytes = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Opens an archive in a file or in memory. The caller must close it. */
  static async open(archive: string | Uint8Array): Promise<ZipArchive> {
    const source = typeof archive === 'string' ? await openFileSource(archive) : createMemorySource(archive)
    let problem = 'its end is missing or followed by other bytes'
    try {
      const options = { autoClose: false, decodeStrings: false }
      const zip = await fromRandomAccessReaderPromise(new SourceReader(source), source.size, options)
      problem = 'its table of contents cannot be read'
      return new ZipArchive(zip, source, await listEntries(zip))
    } catch (error) {
      await source.close()
      throw error instanceof ZipError ? error : replaceUnlessSystem(error, createDamageError(problem))
    }
  }

  /** Closes the file of the archive. */
  close(): Promise<void> {
    return this.#source.close()
  }

  /** Yields the content of an entry in chunks. `onRead` receives the compressed bytes since its last call. */
  async *unpack(
    entry: ZipEntry,
    onRead: (packedBytes: number) => void = () => undefined,
  ): AsyncGenerator<Buffer> {
    const { name, record, packedBytes } = entry
    if (record.isEncrypted())
      throw new ZipError(
        `The zip archive is encrypted with a password (${name}). Send an archive without a password.`,
      )
    if (!record.canDecodeFileData())
      throw new ZipError(
        `${name} is compressed with an unsupported method (${record.compressionMethod}). Compress it with deflate and send the archive again.`,
      )
    const { fileDataStart: start } = await this.#zip
      .readLocalFileHeaderPromise(record, { minimal: true })
      .catch((error: unknown) => {
        throw replaceUnlessSystem(error, createDamageError(`${name} is missing from it`))
      })
    if (packedBytes === 0 && entry.bytes === 0) return
    const countBytes = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        onRead(chunk.length)
        yield chunk
      }
    }
    const packedStream = this.#source.stream(start, start + packedBytes)
    // yauzl's own stream would take eight times the CPU time of decompression in chunks of 256 kB.
    const content: AsyncIterable<Buffer> =
      record.compressionMethod === 0
        ? countBytes(packedStream)
        : pipeline(packedStream, countBytes, createInflateRaw({ chunkSize: chunkBytes }), () => undefined)
    let bytes = 0
    let checksum = 0
    try {
      for await (const chunk of content) {
        bytes += chunk.length
        if (bytes > entry.bytes) throw createDamageError(`${name} is longer than declared`)
        checksum = crc32(chunk, checksum)
        yield chunk
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code?.startsWith('Z_'))
        throw createDamageError(`${name} cannot be decompressed`)
      throw error
    }
    if (bytes < entry.bytes) throw createDamageError(`${name} is shorter than declared`)
    if (checksum !== record.crc32) throw createDamageError(`the checksum of ${name} is wrong`)
  }

  /** Reads an entry into memory. */
  async read(entry: ZipEntry): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of this.unpack(entry)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
}

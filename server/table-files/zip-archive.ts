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

/** A zip archive that is not read. The message is for the user who sent it. */
export class ZipError extends Error {
  override name = 'ZipError'
}

const damaged = (reason: string): ZipError =>
  new ZipError(`The zip archive is damaged: ${reason}. Send it again; nothing of it was stored.`)

/** An error of the file system as it is, any other one as `problem`: yauzl's errors have no code. */
const unlessSystem = (error: unknown, problem: ZipError): unknown =>
  (error as NodeJS.ErrnoException).syscall ? error : problem

const maxEntries = 2000
/** Bytes of names, comments and extra fields: those of 2,000 ordinary entries take a small part of it. */
const maxDirectoryBytes = 8 * 1024 * 1024

/** Bytes that are read and unpacked at a time: small parts cost a turn of the event loop each. */
const partBytes = 1 << 18

/** Whether the first bytes of a file are those of a zip archive, empty or not. */
export const isZip = (head: Uint8Array): boolean =>
  head[0] === 0x50 &&
  head[1] === 0x4b &&
  ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))

/** The bytes of an archive, on the disk or in memory. */
interface Source {
  size: number
  read(target: Buffer, position: number): Promise<unknown>
  stream(start: number, end: number): Readable
  close(): Promise<void>
}

const memorySource = (bytes: Uint8Array): Source => ({
  size: bytes.length,
  read: async (target, position) => target.set(bytes.subarray(position, position + target.length)),
  stream: (start, end) => Readable.from([Buffer.from(bytes.subarray(start, end))]),
  close: async () => undefined,
})

async function fileSource(filePath: string): Promise<Source> {
  const file = await fs.promises.open(filePath)
  return {
    size: (await file.stat()).size,
    read: (target, position) => file.read(target, 0, target.length, position),
    stream: (start, end) =>
      end > start
        ? file.createReadStream({ start, end: end - 1, highWaterMark: partBytes, autoClose: false })
        : Readable.from([]),
    close: () => file.close(),
  }
}

/** Reads for yauzl, which takes positions from the archive unchecked: Node would throw at impossible ones. */
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
  /** For messages and for matching extensions: never a path to write to. */
  name: string
  packedBytes: number
  /** Unpacked, as the archive declares it and `unpack` enforces it. */
  bytes: number
  record: Entry
}

/** Many programs write names in UTF-8 and do not say so. */
function decodeName({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fileNameRaw).replaceAll('\\', '/')
  } catch {
    return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
  }
}

async function listEntries(zip: ZipFile): Promise<ZipEntry[]> {
  if (zip.entryCount > maxEntries)
    throw new ZipError(
      `The zip archive holds ${zip.entryCount.toLocaleString('en')} files; at most ${maxEntries.toLocaleString('en')} are read. Send it in parts.`,
    )
  const entries: ZipEntry[] = []
  let directoryBytes = 0
  for await (const record of zip.eachEntry()) {
    directoryBytes += record.fileNameLength + record.extraFieldLength + record.fileCommentLength
    if (directoryBytes > maxDirectoryBytes) throw damaged('its table of contents is too long')
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
 * A zip archive with its table of contents. Entries are unpacked as streams; sizes and checksums are enforced. All
 * methods throw ZipError for an archive that is damaged, encrypted, too long or compressed with an unusual method. The caller
 * bounds `unpackedBytes`.
 */
export class ZipArchive {
  readonly #zip: ZipFile
  readonly #source: Source
  /** In the order of the archive. */
  readonly entries: readonly ZipEntry[]
  /** Of the archive itself. */
  readonly bytes: number
  /** Of all entries, as declared. */
  readonly unpackedBytes: number

  private constructor(zip: ZipFile, source: Source, entries: readonly ZipEntry[]) {
    this.#zip = zip
    this.#source = source
    this.entries = entries
    this.bytes = source.size
    this.unpackedBytes = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Opens the archive in a file or in memory. It must be closed. */
  static async open(archive: string | Uint8Array): Promise<ZipArchive> {
    const source = typeof archive === 'string' ? await fileSource(archive) : memorySource(archive)
    let problem = 'its end is missing, or other bytes follow it'
    try {
      const options = { autoClose: false, decodeStrings: false }
      const zip = await fromRandomAccessReaderPromise(new SourceReader(source), source.size, options)
      problem = 'its table of contents cannot be read'
      return new ZipArchive(zip, source, await listEntries(zip))
    } catch (error) {
      await source.close()
      throw error instanceof ZipError ? error : unlessSystem(error, damaged(problem))
    }
  }

  close(): Promise<void> {
    return this.#source.close()
  }

  /** The content of an entry, part by part. `onRead` gets the number of packed bytes that were read since it was last called. */
  async *unpack(
    entry: ZipEntry,
    onRead: (packedBytes: number) => void = () => undefined,
  ): AsyncGenerator<Buffer> {
    const { name, record, packedBytes } = entry
    if (record.isEncrypted())
      throw new ZipError(
        `The zip archive is locked with a password (${name}). Make one without and send it again.`,
      )
    if (!record.canDecodeFileData())
      throw new ZipError(
        `${name} is packed into the zip archive in an unusual way (method ${record.compressionMethod}). Pack it with the usual one (deflate) and send it again.`,
      )
    const { fileDataStart: start } = await this.#zip
      .readLocalFileHeaderPromise(record, { minimal: true })
      .catch((error: unknown) => {
        throw unlessSystem(error, damaged(`${name} is missing from it`))
      })
    if (packedBytes === 0 && entry.bytes === 0) return
    const counted = async function* (parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const part of parts) {
        onRead(part.length)
        yield part
      }
    }
    const packed = this.#source.stream(start, start + packedBytes)
    // Not yauzl's own stream: with parts of 256 kB unpacking takes an eighth of the CPU.
    const content: AsyncIterable<Buffer> =
      record.compressionMethod === 0
        ? counted(packed)
        : pipeline(packed, counted, createInflateRaw({ chunkSize: partBytes }), () => undefined)
    let [bytes, checksum] = [0, 0]
    try {
      for await (const part of content) {
        bytes += part.length
        if (bytes > entry.bytes) throw damaged(`${name} is longer than declared`)
        checksum = crc32(part, checksum)
        yield part
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw damaged(`${name} cannot be unpacked`)
      throw error
    }
    if (bytes < entry.bytes) throw damaged(`${name} is shorter than declared`)
    if (checksum !== record.crc32) throw damaged(`the checksum of ${name} is wrong`)
  }

  /** The whole content of an entry. */
  async read(entry: ZipEntry): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.unpack(entry)) parts.push(part)
    return Buffer.concat(parts)
  }
}

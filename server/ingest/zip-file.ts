import fs from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { TripFileError } from './trip-file-error.ts'

/**
 * Tables pack to a fifth or a twentieth; a file that unpacks to more than this many times its size was made
 * to fill the server.
 */
export const maxUnpackingRatio = 250
/** Up to here any ratio is harmless. */
export const freeUnpackedBytes = 64 * 1024 * 1024

const maxEntries = 2000
/** Names of 2,000 entries with their extra fields take a small part of this. */
const maxDirectoryBytes = 8 * 1024 * 1024

/** Whether the first bytes of a file are those of a zip archive, empty or not. */
export const isZip = (head: Uint8Array): boolean =>
  head[0] === 0x50 &&
  head[1] === 0x4b &&
  ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))

export interface ZipEntry {
  /** As the archive has it, for messages and for matching endings: never a path to write to. */
  name: string
  packedBytes: number
  /** Unpacked, as the archive declares it and `entryBytes` enforces it. */
  bytes: number
  /** Position of its local header. */
  at: number
  method: number
  isEncrypted: boolean
  checksum: number
}

const damaged = (reason: string): TripFileError =>
  new TripFileError(`The zip archive is damaged: ${reason}. Send it again; nothing of it was stored.`)

/**
 * Where the table of contents is and of how many entries, from the end of an archive; from the record of
 * Zip64 where it has one.
 */
function endRecord(tail: Buffer, tailAt: number): { count: number; bytes: number; at: number } {
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== 0x06054b50) continue
    if (at < 20 || tail.readUInt32LE(at - 20) !== 0x07064b50) {
      return {
        count: tail.readUInt16LE(at + 10),
        bytes: tail.readUInt32LE(at + 12),
        at: tail.readUInt32LE(at + 16),
      }
    }
    const recordAt = Number(tail.readBigUInt64LE(at - 12)) - tailAt
    if (recordAt < 0 || recordAt + 56 > tail.length || tail.readUInt32LE(recordAt) !== 0x06064b50)
      throw damaged('its end cannot be read')
    const field = (offset: number): number => Number(tail.readBigUInt64LE(recordAt + offset))
    return { count: field(32), bytes: field(40), at: field(48) }
  }
  throw damaged('its end is missing')
}

/** Replaces sizes and positions of 0xffffffff by those of the Zip64 extra field. */
function zip64Fields(extra: Buffer, fields: number[]): number[] {
  for (let at = 0; at + 4 <= extra.length;) {
    const [id, size] = [extra.readUInt16LE(at), extra.readUInt16LE(at + 2)]
    if (id === 1) {
      let from = at + 4
      return fields.map((value) => {
        if (value !== 0xffffffff || from + 8 > extra.length) return value
        from += 8
        return Number(extra.readBigUInt64LE(from - 8))
      })
    }
    at += 4 + size
  }
  return fields
}

function entryAt(directory: Buffer, at: number): { entry: ZipEntry; next: number } {
  if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50)
    throw damaged('its table of contents cannot be read')
  const nameEnd = at + 46 + directory.readUInt16LE(at + 28)
  const extraEnd = nameEnd + directory.readUInt16LE(at + 30)
  const [bytes = 0, packedBytes = 0, headerAt = 0] = zip64Fields(directory.subarray(nameEnd, extraEnd), [
    directory.readUInt32LE(at + 24),
    directory.readUInt32LE(at + 20),
    directory.readUInt32LE(at + 42),
  ])
  const entry = {
    name: directory.subarray(at + 46, nameEnd).toString('utf8'),
    bytes,
    packedBytes,
    at: headerAt,
    method: directory.readUInt16LE(at + 10),
    isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
    checksum: directory.readUInt32LE(at + 16),
  }
  return { entry, next: extraEnd + directory.readUInt16LE(at + 32) }
}

/**
 * The entries of a zip archive on the disk, in its order. Only the table of contents is read. Throws
 * TripFileError for a broken one.
 */
export async function zipEntries(filePath: string): Promise<ZipEntry[]> {
  const file = await fs.promises.open(filePath)
  try {
    const { size } = await file.stat()
    // The end record, after which a comment of up to 64 kB may follow, and before it the record of Zip64.
    const tailAt = Math.max(0, size - 22 - 0xffff - 76)
    const tail = Buffer.alloc(size - tailAt)
    await file.read(tail, 0, tail.length, tailAt)
    const { count, bytes, at } = endRecord(tail, tailAt)
    if (count > maxEntries)
      throw new TripFileError(
        `The zip archive holds ${count.toLocaleString('en')} files; at most ${maxEntries.toLocaleString('en')} are read. Send it in parts.`,
      )
    if (bytes > maxDirectoryBytes || at + bytes > size) throw damaged('its table of contents cannot be read')
    const directory = Buffer.alloc(bytes)
    await file.read(directory, 0, bytes, at)
    const entries: ZipEntry[] = []
    for (let from = 0; entries.length < count;) {
      const { entry, next } = entryAt(directory, from)
      entries.push(entry)
      from = next
    }
    const unpacked = entries.reduce((sum, entry) => sum + entry.bytes, 0)
    if (unpacked > Math.max(freeUnpackedBytes, maxUnpackingRatio * size)) {
      throw new TripFileError(
        `The zip archive unpacks to more than ${maxUnpackingRatio} times its size, which no table of trips does. Send it unpacked.`,
      )
    }
    return entries
  } finally {
    await file.close()
  }
}

/** Where the content of an entry begins. */
async function contentStart(filePath: string, { name, at }: ZipEntry): Promise<number> {
  const file = await fs.promises.open(filePath)
  const header = Buffer.alloc(30)
  await file.read(header, 0, 30, at).finally(() => file.close())
  if (header.readUInt32LE(0) !== 0x04034b50) throw damaged(`${name} is missing from it`)
  return at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
}

/**
 * The unpacked bytes of an entry, part by part; `read` counts its packed ones. Throws TripFileError where it
 * is not as the archive declares it.
 */
export async function* entryBytes(
  filePath: string,
  entry: ZipEntry,
  read: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const { name, packedBytes, method } = entry
  if (entry.isEncrypted)
    throw new TripFileError(
      `The zip archive is locked with a password (${name}). Make one without and send it again.`,
    )
  if (method !== 0 && method !== 8)
    throw new TripFileError(
      `${name} is packed into the zip archive in an unusual way (method ${method}). Pack it with the usual one (deflate) and send it again.`,
    )
  const start = await contentStart(filePath, entry)
  if (packedBytes === 0) return
  const source = fs
    .createReadStream(filePath, { start, end: start + packedBytes - 1, highWaterMark: 1 << 18 })
    .on('error', () => undefined)
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const part of source as AsyncIterable<Buffer>) {
      read(part.length)
      yield part
    }
  }
  const content =
    method === 8
      ? pipeline(Readable.from(counted(), { objectMode: false }), createInflateRaw(), () => undefined)
      : counted()
  let bytes = 0
  let checksum = 0
  try {
    for await (const part of content as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > entry.bytes) throw damaged(`${name} is longer than declared`)
      checksum = crc32(part, checksum)
      yield part
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw damaged(`${name} cannot be unpacked`)
    throw error
  } finally {
    source.destroy()
  }
  if (bytes !== entry.bytes) throw damaged(`${name} is shorter than declared`)
  if (checksum !== entry.checksum) throw damaged(`the checksum of ${name} is wrong`)
}

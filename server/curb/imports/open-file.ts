import fs from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type CurbFile, CurbFileError } from './curb-format.ts'

/** Files are read in parts of this size. */
const partBytes = 256 * 1024
/** A gzip file may unpack to this many times its size, or to `minUnpackedBytes` if that is more. */
const maxRatio = 200
const minUnpackedBytes = 64 * 1024 * 1024

/** Returns a local file as a CurbFile, unpacked if it is gzip. */
export function openFile(filePath: string, name: string): CurbFile {
  return { name, bytes: () => unpackGzip(filePath) }
}

/** Reads the first two bytes of a file, and closes it. */
async function readStart(handle: fs.promises.FileHandle): Promise<Buffer> {
  const start = Buffer.alloc(2)
  await handle.read(start, 0, start.length, 0).finally(() => handle.close())
  return start
}

/** Returns the bytes of a file, decompressed if it is gzip. */
async function* unpackGzip(filePath: string): AsyncGenerator<Uint8Array> {
  const source = fs.createReadStream(filePath, { highWaterMark: partBytes }).on('error', () => undefined)
  try {
    const { size } = await fs.promises.stat(filePath)
    const handle = await fs.promises.open(filePath)
    const [byte0, byte1] = await readStart(handle)
    const isZip = byte0 === 0x50 && byte1 === 0x4b
    const isGzip = byte0 === 0x1f && byte1 === 0x8b
    if (isZip)
      throw new CurbFileError(
        'The file is a zip archive. Unpack it, or compress the file with gzip, and send that.',
      )
    if (!isGzip) return yield* source as AsyncIterable<Buffer>
    let bytes = 0
    for await (const part of pipeline(
      source,
      createGunzip({ chunkSize: partBytes }),
      () => undefined,
    ) as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > Math.max(minUnpackedBytes, size * maxRatio))
        throw new CurbFileError('The gzip file unpacks to more than 200 times its size. Send it unpacked.')
      yield part
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code?.startsWith('Z_')
      ? new CurbFileError('The gzip file is damaged or cut off. Send it again.')
      : error
  } finally {
    source.destroy()
  }
}

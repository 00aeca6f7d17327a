import fs from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type CurbFile, CurbFileError } from './curb-format.ts'

const partBytes = 1 << 18
/** A file may unpack to this many times its size, and at least to `minUnpackedBytes`. */
const [maxRatio, minUnpackedBytes] = [200, 64 * 1024 * 1024]

/** A received file, unpacked if it is gzip. */
export function fileOfPath(filePath: string, name: string): CurbFile {
  return { name, bytes: () => unpacked(filePath) }
}

async function* unpacked(filePath: string): AsyncGenerator<Uint8Array> {
  const source = fs.createReadStream(filePath, { highWaterMark: partBytes }).on('error', () => undefined)
  try {
    const { size } = await fs.promises.stat(filePath)
    const handle = await fs.promises.open(filePath)
    const head = Buffer.alloc(4)
    await handle.read(head, 0, 4, 0).finally(() => handle.close())
    if (head[0] === 0x50 && head[1] === 0x4b)
      throw new CurbFileError(
        'The file is a zip archive. Unpack it, or compress the file with gzip, and send that.',
      )
    if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* source as AsyncIterable<Buffer>
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

import fs from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isZip } from '#server/table-files/zip-archive.ts'
import { readLines } from '#server/table-files/text-lines.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import {
  maxUnpackingRatio,
  findOnlyTableName,
  getUnpackingLimit,
  type ZipContents,
  readZippedStations,
  readZippedTable,
} from './zip-tables.ts'

/** Bytes that are read and decompressed at a time. Smaller parts would cost more turns of the event loop. */
const partBytes = 1 << 18

const isGzipHead = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b

/**
 * Passes decompressed bytes through.
 * @throws TableFileError if they exceed the allowed ratio to the compressed bytes that were read so far.
 */
async function* limitRatio(
  unpacked: AsyncIterable<Buffer>,
  getPackedBytes: () => number,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of unpacked) {
    bytes += chunk.length
    if (bytes > getUnpackingLimit(getPackedBytes())) {
      throw new TableFileError(
        `The gzip file decompresses to more than ${maxUnpackingRatio} times its size, which is unusual for a table of trips. Send it uncompressed.`,
      )
    }
    yield chunk
  }
}

async function readFirstBytes(filePath: string): Promise<Buffer> {
  const head = Buffer.alloc(4)
  const file = await fs.promises.open(filePath)
  await file.read(head, 0, 4, 0).finally(() => file.close())
  return head
}

/** Returns a file's name, followed by that of the only file in a zip archive. Both may name operator and time. */
export async function readFullName(filePath: string, fileName: string): Promise<string> {
  const innerName = isZip(await readFirstBytes(filePath)) ? await findOnlyTableName(filePath) : null
  return innerName === null ? fileName : `${fileName} ${innerName}`
}

/**
 * Yields the decompressed bytes of a file; for a zip archive those of its joined tables. `onRead` receives
 * the number of bytes read from the file itself. `contents` is filled with the contents of a zip archive.
 * @throws TableFileError if a gzip or zip file is damaged.
 */
export async function* readFileBytes(
  filePath: string,
  onRead: (bytes: number) => void = () => undefined,
  contents: ZipContents = { read: [], ignored: [] },
): AsyncGenerator<Buffer> {
  const head = await readFirstBytes(filePath)
  if (isZip(head)) return yield* readZippedTable(filePath, onRead, contents)
  // Errors reach the reader of the stream. The listener prevents an earlier error from crashing the process.
  const source = fs.createReadStream(filePath, { highWaterMark: partBytes }).on('error', () => undefined)
  let packedBytes = 0
  const counted = Readable.from(
    (async function* () {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        packedBytes += chunk.length
        onRead(chunk.length)
        yield chunk
      }
    })(),
    { objectMode: false },
  )
  try {
    yield* isGzipHead(head)
      ? limitRatio(
          pipeline(counted, createGunzip({ chunkSize: partBytes }), () => undefined),
          () => packedBytes,
        )
      : counted
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR')
      throw new TableFileError(
        'The gzip file is truncated: its end is missing. Nothing was stored. Send the file again.',
      )
    if (code?.startsWith('Z_'))
      throw new TableFileError(
        'The gzip file is damaged and cannot be decompressed. Nothing was stored. Send the file again.',
      )
    throw error
  } finally {
    source.destroy()
  }
}

/** Yields the lines of a file in batches, without line ends. */
export const readFileLines = (filePath: string, onRead?: (bytes: number) => void): AsyncGenerator<string[]> =>
  readLines(readFileBytes(filePath, onRead))

/** Yields the lines of each table of stations in a zip archive of trips; nothing for other files. */
export async function* readStationTables(filePath: string): AsyncGenerator<AsyncGenerator<string[]>> {
  if (isZip(await readFirstBytes(filePath))) yield* readZippedStations(filePath)
}

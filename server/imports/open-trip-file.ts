import fs from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isZip } from '#server/table-files/zip-archive.ts'
import { linesOf } from '#server/table-files/text-lines.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import {
  maxUnpackingRatio,
  nameOfOnlyTable,
  unpackingLimit,
  type ZipContents,
  zippedStations,
  zippedTable,
} from './zip-tables.ts'

/** Bytes that are read and decompressed at a time: small buffers each cost a turn of the event loop. */
const partBytes = 1 << 18

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b

/** Passes decompressed bytes on; throws TableFileError if they are too many for the bytes that were read. */
async function* withinRatio(
  unpacked: AsyncIterable<Buffer>,
  packedBytes: () => number,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const part of unpacked) {
    bytes += part.length
    if (bytes > unpackingLimit(packedBytes())) {
      throw new TableFileError(
        `The gzip file unpacks to more than ${maxUnpackingRatio} times its size, which no table of trips does. Send it unpacked.`,
      )
    }
    yield part
  }
}

async function headOf(filePath: string): Promise<Buffer> {
  const head = Buffer.alloc(4)
  const file = await fs.promises.open(filePath)
  await file.read(head, 0, 4, 0).finally(() => file.close())
  return head
}

/** A file's name, with that of the single file in a zip: both may contain the operator and the time. */
export async function fullName(filePath: string, fileName: string): Promise<string> {
  const inner = isZip(await headOf(filePath)) ? await nameOfOnlyTable(filePath) : null
  return inner === null ? fileName : `${fileName} ${inner}`
}

/**
 * The uncompressed bytes of a file; for a zip, those of its tables, concatenated. `read` receives the number of bytes
 * read from the file itself, `contents` is filled with the contents of a zip. Throws TableFileError for a broken gzip or zip.
 */
export async function* fileBytes(
  filePath: string,
  read: (bytes: number) => void = () => undefined,
  contents: ZipContents = { read: [], ignored: [] },
): AsyncGenerator<Buffer> {
  const head = await headOf(filePath)
  if (isZip(head)) return yield* zippedTable(filePath, read, contents)
  // Stream errors are raised to the reader; one that occurs earlier must not crash the process.
  const source = fs.createReadStream(filePath, { highWaterMark: partBytes }).on('error', () => undefined)
  let packed = 0
  const counted = Readable.from(
    (async function* () {
      for await (const part of source as AsyncIterable<Buffer>) {
        packed += part.length
        read(part.length)
        yield part
      }
    })(),
    { objectMode: false },
  )
  try {
    yield* isGzip(head)
      ? withinRatio(
          pipeline(counted, createGunzip({ chunkSize: partBytes }), () => undefined),
          () => packed,
        )
      : counted
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR')
      throw new TableFileError(
        'The gzip file is cut off: its end is missing. Send it again; nothing of it was stored.',
      )
    if (code?.startsWith('Z_'))
      throw new TableFileError(
        'The gzip file is damaged and cannot be unpacked. Send it again; nothing of it was stored.',
      )
    throw error
  } finally {
    source.destroy()
  }
}

/** The lines of a trip file, in batches, without line breaks. */
export const fileLines = (filePath: string, read?: (bytes: number) => void): AsyncGenerator<string[]> =>
  linesOf(fileBytes(filePath, read))

/** The lines of each table of stations in a zip archive of trips; none for other files. */
export async function* stationTablesOf(filePath: string): AsyncGenerator<AsyncGenerator<string[]>> {
  if (isZip(await headOf(filePath))) yield* zippedStations(filePath)
}

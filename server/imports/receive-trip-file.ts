import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { NodeReadable } from '#contract/endpoint.ts'
import { Problem } from '#server/http/problem.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import { tripFileKey } from './trip-uploads.ts'
import { plainName } from '#server/table-files/column-names.ts'

/** Bytes of a file at most. */
const maxBytes = 4 * 1024 ** 3

/** The folder of files that are being received. */
export const receivingFolder = (dataDir: string): string => path.join(dataDir, 'receiving')

/** Hash of a normalized header: mappings are remembered by it. */
export const headerHash = (header: readonly string[]): string =>
  createHash('sha256').update(header.map(plainName).join('|')).digest('hex').slice(0, 32)

const formatLimit = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GB` : `${bytes / 1024 ** 2} MB`

/** Buffered bytes per write: parts of a request are small, and each write waits for a thread. */
const writtenAtOnce = 1 << 22

async function write(body: NodeReadable, filePath: string, limit: number): Promise<number> {
  await fs.promises.mkdir(path.dirname(filePath), { recursive: true })
  let bytes = 0
  const limited = async function* (parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      bytes += part.length
      if (bytes > limit)
        throw new Problem('too_large', `The file is larger than ${formatLimit(limit)}. Send it in parts.`)
      yield part
    }
  }
  const file = fs.createWriteStream(filePath, { flags: 'wx', flush: true, highWaterMark: writtenAtOnce })
  await pipeline(body, limited, file)
  return bytes
}

/**
 * Writes an upload to disk and lets `check` read it as a whole, so that a broken file is refused before any row of it is stored. What
 * stays is in the blob store.
 */
export async function receiveTripFile<Found>(
  { dataDir, blobs }: { dataDir: string; blobs: BlobStore },
  body: NodeReadable,
  check: (filePath: string) => Promise<Found>,
  limit = maxBytes,
): Promise<Found & { filePath: string; bytes: number }> {
  const filePath = path.join(receivingFolder(dataDir), randomUUID())
  try {
    const bytes = await write(body, filePath, limit)
    if (bytes === 0) throw new TableFileError('The file is empty (0 bytes).')
    const found = await check(filePath)
    await blobs.putFile(tripFileKey(filePath), filePath)
    return { ...found, filePath: tripFileKey(filePath), bytes }
  } catch (error) {
    await fs.promises.rm(filePath, { force: true })
    if (error instanceof TableFileError) throw new Problem('validation_error', error.message)
    throw error
  }
}

import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { NodeReadable } from '#contract/endpoint.ts'
import { Problem } from '#server/http/problem.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import { toPlainName } from '#server/table-files/column-names.ts'
import { getTripFileKey } from './trip-uploads.ts'

const maxFileBytes = 4 * 1024 ** 3

/** Returns the folder of files that are being received. */
export const getReceivingFolder = (dataDir: string): string => path.join(dataDir, 'receiving')

/** Returns the hash of a normalized header, by which mappings are remembered. */
export const hashHeader = (header: readonly string[]): string =>
  createHash('sha256').update(header.map(toPlainName).join('|')).digest('hex').slice(0, 32)

const formatLimit = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GB` : `${bytes / 1024 ** 2} MB`

/** Bytes that are buffered before a write: parts of a request are small, and each write takes a thread. */
const writeBufferBytes = 1 << 22

/** Writes a body to a file and returns its size. @throws Problem `too_large`. */
async function writeBody(body: NodeReadable, filePath: string, maxBytes: number): Promise<number> {
  await fs.promises.mkdir(path.dirname(filePath), { recursive: true })
  let bytes = 0
  const limitBytes = async function* (parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of parts) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new Problem('too_large', `The file is larger than ${formatLimit(maxBytes)}. Send it in parts.`)
      yield chunk
    }
  }
  const file = fs.createWriteStream(filePath, { flags: 'wx', flush: true, highWaterMark: writeBufferBytes })
  await pipeline(body, limitBytes, file)
  return bytes
}

/**
 * Writes an upload to disk, checks it, and stores it in the blob store. `check` reads the complete file, so
 * that a damaged one is rejected before any row is stored.
 */
export async function receiveTripFile<CheckResult>(
  { dataDir, blobs }: { dataDir: string; blobs: BlobStore },
  body: NodeReadable,
  check: (filePath: string) => Promise<CheckResult>,
  maxBytes = maxFileBytes,
): Promise<CheckResult & { filePath: string; bytes: number }> {
  const filePath = path.join(getReceivingFolder(dataDir), randomUUID())
  try {
    const bytes = await writeBody(body, filePath, maxBytes)
    if (bytes === 0) throw new TableFileError('The file is empty (0 bytes).')
    const result = await check(filePath)
    await blobs.putFile(getTripFileKey(filePath), filePath)
    return { ...result, filePath: getTripFileKey(filePath), bytes }
  } catch (error) {
    await fs.promises.rm(filePath, { force: true })
    if (error instanceof TableFileError) throw new Problem('validation_error', error.message)
    throw error
  }
}

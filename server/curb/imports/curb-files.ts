import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { NodeReadable } from '#contract/endpoint.ts'
import { Problem } from '#server/http/problem.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import { type CurbFile, CurbFileError } from './curb-format.ts'
import { openFile } from './open-file.ts'

/** A received file of an import (`curb_import.files`). */
export interface StoredFile {
  path: string
  name: string
}

/** Size of a received file. */
const maxMegabytes = 1024

/** Returns the blob key of a file. Older versions stored a path on their server, which ends with the same name. */
const getBlobKey = (stored: string): string => `curb-files/${path.basename(stored)}`

/** Where received files are stored. */
export interface CurbFileStore {
  blobs: BlobStore
  /** The folder for files that are being received. */
  dataDir: string
}

/** Stores a received file and returns it with its hash. If the file is refused, nothing is left behind. */
export async function storeCurbFile(
  { blobs, dataDir }: CurbFileStore,
  body: NodeReadable,
  name: string,
): Promise<StoredFile & { hash: string }> {
  const folder = path.join(dataDir, 'receiving')
  const filePath = path.join(folder, randomUUID())
  await fs.promises.mkdir(folder, { recursive: true })
  const hash = createHash('sha256')
  let bytes = 0
  const limitSize = async function* (parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      bytes += part.length
      if (bytes > maxMegabytes * 1024 * 1024)
        throw new Problem('too_large', 'The file is larger than 1 GB. Send it in parts.')
      hash.update(part)
      yield part
    }
  }
  try {
    await pipeline(body, limitSize, fs.createWriteStream(filePath, { flags: 'wx' }))
    if (bytes === 0) throw new Problem('validation_error', 'The file is empty (0 bytes).')
    await blobs.putFile(getBlobKey(filePath), filePath)
  } catch (error) {
    await fs.promises.rm(filePath, { force: true })
    throw error
  }
  return { path: getBlobKey(filePath), name, hash: hash.digest('hex') }
}

/** Returns the path of a received file on this machine. Null if the file was removed. */
export const findLocalFile = (blobs: BlobStore, stored: string): Promise<string | null> =>
  blobs.localFile(getBlobKey(stored))

/** Opens a received file. @throws CurbFileError if it was removed. */
export async function openCurbFile(blobs: BlobStore, { path: stored, name }: StoredFile): Promise<CurbFile> {
  const file = await findLocalFile(blobs, stored)
  if (file === null) throw new CurbFileError('The received file is no longer on the server. Send it again.')
  return openFile(file, name)
}

export async function removeCurbFiles(
  blobs: BlobStore,
  files: readonly Pick<StoredFile, 'path'>[],
): Promise<void> {
  await Promise.all(files.map((file) => blobs.delete(getBlobKey(file.path))))
}

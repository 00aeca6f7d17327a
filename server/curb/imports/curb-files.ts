import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { NodeReadable } from '#contract/endpoint.ts'
import { Problem } from '#server/http/problem.ts'

/** A received file of an import (`curb_import.files`). */
export interface StoredFile {
  path: string
  name: string
}

const maxMegabytes = 1024

const folderOf = (dataDir: string): string => path.join(dataDir, 'curb-files')

/** Writes a received file to the disk; returns it with its hash. What is refused leaves no file behind. */
export async function storeCurbFile(
  dataDir: string,
  body: NodeReadable,
  name: string,
): Promise<StoredFile & { hash: string }> {
  const filePath = path.join(folderOf(dataDir), randomUUID())
  await fs.promises.mkdir(folderOf(dataDir), { recursive: true })
  const hash = createHash('sha256')
  let bytes = 0
  const limited = async function* (parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      bytes += part.length
      if (bytes > maxMegabytes * 1024 * 1024)
        throw new Problem('too_large', 'The file is larger than 1 GB. Send it in parts.')
      hash.update(part)
      yield part
    }
  }
  try {
    await pipeline(body, limited, fs.createWriteStream(filePath, { flags: 'wx' }))
    if (bytes === 0) throw new Problem('validation_error', 'The file is empty (0 bytes).')
  } catch (error) {
    await fs.promises.rm(filePath, { force: true })
    throw error
  }
  return { path: filePath, name, hash: hash.digest('hex') }
}

export async function removeCurbFiles(files: readonly StoredFile[]): Promise<void> {
  await Promise.all(files.map((file) => fs.promises.rm(file.path, { force: true })))
}

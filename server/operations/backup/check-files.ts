import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { BackupError, type Manifest } from './manifest.ts'

/** Throws BackupError unless the size and SHA-256 checksum of every file are those in the manifest. */
export async function checkFiles(folder: string, { files }: Pick<Manifest, 'files'>): Promise<void> {
  for (const { name, bytes, sha256 } of files) {
    const file = path.join(folder, name)
    const hash = createHash('sha256')
    let bytesRead = 0
    try {
      for await (const chunk of fs.createReadStream(file, { highWaterMark: 1 << 20 })) {
        hash.update(chunk as Buffer)
        bytesRead += (chunk as Buffer).length
      }
    } catch (error) {
      throw new BackupError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'error'}.`)
    }
    if (bytesRead !== bytes || hash.digest('hex') !== sha256)
      throw new BackupError(`${file} was changed or is damaged: its checksum differs. Use another backup.`)
  }
}

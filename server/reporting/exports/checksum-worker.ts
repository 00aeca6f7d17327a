import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { serveWorker } from '#server/jobs/start-worker.ts'

/** The SHA-256 (hexadecimal) and the size of a file. */
export interface Checksum {
  sha256: string
  bytes: number
}

const bufferBytes = 1 << 20 // 1 MB

// Computes the checksum of a file on a thread of its own, because hashing gigabytes would block the server.
serveWorker((file: string): Checksum => {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(bufferBytes)
  const descriptor = fs.openSync(file, 'r')
  try {
    let bytes = 0
    const readNext = (): number => fs.readSync(descriptor, buffer)
    for (let readBytes = readNext(); readBytes > 0; readBytes = readNext()) {
      hash.update(buffer.subarray(0, readBytes))
      bytes += readBytes
    }
    return { sha256: hash.digest('hex'), bytes }
  } finally {
    fs.closeSync(descriptor)
  }
})

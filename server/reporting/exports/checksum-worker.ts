import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { serveWorker } from '#server/jobs/start-worker.ts'

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
    for (let read = fs.readSync(descriptor, buffer); read > 0; read = fs.readSync(descriptor, buffer)) {
      hash.update(buffer.subarray(0, read))
      bytes += read
    }
    return { sha256: hash.digest('hex'), bytes }
  } finally {
    fs.closeSync(descriptor)
  }
})

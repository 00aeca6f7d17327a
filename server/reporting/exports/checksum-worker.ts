import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { handleWork } from '#server/jobs/start-worker.ts'

export interface Checksum {
  sha256: string
  bytes: number
}

const readAtOnce = 1 << 20

handleWork((file: string): Checksum => {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(readAtOnce)
  const opened = fs.openSync(file, 'r')
  try {
    let bytes = 0
    for (let read = fs.readSync(opened, buffer); read > 0; read = fs.readSync(opened, buffer)) {
      hash.update(buffer.subarray(0, read))
      bytes += read
    }
    return { sha256: hash.digest('hex'), bytes }
  } finally {
    fs.closeSync(opened)
  }
})

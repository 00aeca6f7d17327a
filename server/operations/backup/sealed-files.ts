import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDecryption, createEncryption } from './encrypted-file.ts'
import { BackupError, type Manifest } from './manifest.ts'

/** A file of a backup as its manifest has it. */
export type FileEntry = Manifest['files'][number]

/** Suffix of encrypted files. */
const suffix = '.enc'

function hashing(): { transform: Transform; result: () => Pick<FileEntry, 'bytes' | 'sha256'> } {
  const hash = createHash('sha256')
  let bytes = 0
  const transform = new PassThrough()
  transform.on('data', (chunk: Buffer) => {
    hash.update(chunk)
    bytes += chunk.length
  })
  return { transform, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}

/** Lets so many bytes through per second, so that checksums and compression leave the cores to calls. */
function pacing(bytesPerSecond: number): Transform {
  let dueMs = performance.now()
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      dueMs = Math.max(dueMs, performance.now()) + (1000 * chunk.length) / bytesPerSecond
      setTimeout(() => done(null, chunk), dueMs - performance.now())
    },
  })
}

/** How a file of a backup is written. */
export interface Sealing {
  folder: string
  passphrase: string | null
  /** Null: as fast as possible. */
  bytesPerSecond: number | null
}

/** Writes a stream to a file of a backup, encrypted if there is a passphrase; it is on the disk when this resolves. */
export async function writeSealed(
  source: Readable,
  name: string,
  { folder, passphrase, bytesPerSecond }: Sealing,
): Promise<FileEntry> {
  const sealedName = passphrase === null ? name : name + suffix
  const target = fs.createWriteStream(path.join(folder, sealedName), { mode: 0o600, flush: true })
  const { transform, result } = hashing()
  const steps = [
    ...(bytesPerSecond === null ? [] : [pacing(bytesPerSecond)]),
    ...(passphrase === null ? [] : [createEncryption(passphrase)]),
    transform,
  ]
  await pipeline([source, ...steps, target])
  return { name: sealedName, ...result() }
}

/** Streams a file of a backup, decrypted. */
export async function readSealed(
  folder: string,
  { files, is_encrypted: isEncrypted }: Pick<Manifest, 'files' | 'is_encrypted'>,
  name: string,
  passphrase: string | null,
  into: (source: Readable) => Promise<unknown>,
): Promise<void> {
  const entry = files.find((each) => each.name === (isEncrypted ? name + suffix : name))
  if (!entry) throw new BackupError(`The backup has no ${name}.`)
  const source = fs.createReadStream(path.join(folder, entry.name), { highWaterMark: 1 << 18 })
  if (!isEncrypted) return void (await into(source))
  if (passphrase === null)
    throw new BackupError('The backup is encrypted: set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE.')
  const decryption = createDecryption(passphrase)
  await Promise.all([pipeline(source, decryption, { end: true }), into(decryption)])
}

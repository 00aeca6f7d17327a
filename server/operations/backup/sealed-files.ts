import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDecryption, createEncryption } from './encrypted-file.ts'
import { BackupError, type Manifest } from './manifest.ts'

/** A file of a backup, as listed in its manifest. */
export type FileEntry = Manifest['files'][number]

/** Suffix of encrypted files. */
const encryptedSuffix = '.enc'

/** Creates a stream that passes bytes through, and a function for their number and checksum. */
function createHasher(): { hasher: Transform; getResult: () => Pick<FileEntry, 'bytes' | 'sha256'> } {
  const hash = createHash('sha256')
  let bytes = 0
  const hasher = new PassThrough()
  hasher.on('data', (chunk: Buffer) => {
    hash.update(chunk)
    bytes += chunk.length
  })
  return { hasher, getResult: () => ({ bytes, sha256: hash.digest('hex') }) }
}

/** Creates a stream with limited bytes per second, so that checksums and compression leave cores free. */
function createPacing(bytesPerSecond: number): Transform {
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
  /** Maximum speed; null if unlimited. */
  bytesPerSecond: number | null
}

/** Writes a stream to a backup's file, encrypted if there is a passphrase. Resolves once it is on disk. */
export async function writeSealed(
  source: Readable,
  name: string,
  { folder, passphrase, bytesPerSecond }: Sealing,
): Promise<FileEntry> {
  const sealedName = passphrase === null ? name : name + encryptedSuffix
  const target = fs.createWriteStream(path.join(folder, sealedName), { mode: 0o600, flush: true })
  const { hasher, getResult } = createHasher()
  const transforms = [
    ...(bytesPerSecond === null ? [] : [createPacing(bytesPerSecond)]),
    ...(passphrase === null ? [] : [createEncryption(passphrase)]),
    hasher,
  ]
  await pipeline([source, ...transforms, target])
  return { name: sealedName, ...getResult() }
}

interface SealedFolder {
  folder: string
  manifest: Pick<Manifest, 'files' | 'is_encrypted'>
  passphrase: string | null
}

/** Streams the decrypted content of a backup's file into a consumer. */
export async function readSealed(
  { folder, manifest: { files, is_encrypted: isEncrypted }, passphrase }: SealedFolder,
  name: string,
  consume: (source: Readable) => Promise<unknown>,
): Promise<void> {
  const entry = files.find((file) => file.name === (isEncrypted ? name + encryptedSuffix : name))
  if (!entry) throw new BackupError(`The backup has no ${name}.`)
  const source = fs.createReadStream(path.join(folder, entry.name), { highWaterMark: 1 << 18 })
  if (!isEncrypted) return void (await consume(source))
  if (passphrase === null)
    throw new BackupError('The backup is encrypted: set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE.')
  const decryption = createDecryption(passphrase)
  await Promise.all([pipeline(source, decryption, { end: true }), consume(decryption)])
}

import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Config } from '#server/config.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import { openBlobStore } from '#server/stores/blobs/open-blob-store.ts'
import { BackupError, findBaseName, manifestFile, partialPrefix, parseBackupStart } from './manifest.ts'
import { findExpiredBackups, type Retention } from './expired-backups.ts'

const copiesPrefix = 'backups/'

/** Opens the store of BACKUP_COPY_URL; null if it is not set. */
export const openCopies = (
  { dataDir, backups }: Pick<Config, 'dataDir' | 'backups'>,
  now: () => Date,
): BlobStore | null =>
  backups.copyUrl === null ? null : openBlobStore({ blobUrl: backups.copyUrl, dataDir }, now)

/** Lists the names of the complete copies, newest first. Copies without a manifest are incomplete. */
export async function listCopies(copies: BlobStore): Promise<string[]> {
  const names: string[] = []
  for (const name of await copies.folders(copiesPrefix))
    if (parseBackupStart(name) && (await copies.head(`${copiesPrefix}${name}/${manifestFile}`)))
      names.push(name)
  return names.toReversed()
}

/**
 * Copies the files of a complete backup to another store, the manifest last, and removes copies that are no
 * longer retained. Encrypted backups stay encrypted.
 */
export async function copyBackup(folder: string, copies: BlobStore, retention: Retention): Promise<void> {
  const name = path.basename(folder)
  const files = (await fs.promises.readdir(folder)).filter((file) => file !== manifestFile)
  for (const file of [...files, manifestFile])
    await copies.putFile(`${copiesPrefix}${name}/${file}`, path.join(folder, file), { retainsOriginal: true })
  const allCopies = (await copies.folders(copiesPrefix)).flatMap((copy) => {
    const started = parseBackupStart(copy)
    return started ? [{ name: copy, started, isVerified: false }] : []
  })
  for (const expired of findExpiredBackups(allCopies, retention))
    await copies.deleteAll(`${copiesPrefix}${expired.name}/`)
}

/** Downloads a copy (null: the newest) and its base to the folder of backups. Returns its folder. */
export async function fetchCopy(
  copies: BlobStore,
  requestedName: string | null,
  directory: string,
): Promise<string> {
  const newestFirst = await listCopies(copies)
  const name = newestFirst.find((copy) => requestedName === null || copy === requestedName)
  if (name === undefined)
    throw new BackupError(`There is no copy ${requestedName ?? 'of a backup'} in ${copies.name}.`)
  const base = findBaseName(name)
  if (base !== null && !fs.existsSync(path.join(directory, base))) await fetchCopy(copies, base, directory)
  const folder = path.join(directory, name)
  if (fs.existsSync(folder)) throw new BackupError(`${folder} is there already.`)
  const partialFolder = path.join(directory, partialPrefix + name)
  await fs.promises.rm(partialFolder, { recursive: true, force: true })
  await fs.promises.mkdir(partialFolder, { recursive: true, mode: 0o700 })
  for await (const { key } of copies.list(`${copiesPrefix}${name}/`)) {
    const source = await copies.get(key)
    if (!source) throw new BackupError(`The copy ${name} was removed while it was fetched.`)
    const target = path.join(partialFolder, path.basename(key))
    await pipeline(source, fs.createWriteStream(target, { mode: 0o600, flush: true }))
  }
  await fs.promises.rename(partialFolder, folder)
  return folder
}

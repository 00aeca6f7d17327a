import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openPromise } from 'yauzl'
import yazl from 'yazl'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import { BackupError } from './manifest.ts'

/** Files of the data directory that are in backups beside the stores. */
const machineFiles = ['secret.key', 'demo-city-made'] as const

/** Folders of the blob store that are in backups. */
const blobFolders = ['logos', 'raw', 'curb-files', 'trip-files', 'exports'] as const

/** What a data directory has of backups beside the stores. */
export const blobEntries = [...machineFiles, ...blobFolders] as const

/** Paths of the files under a file or folder, relative to `root`. */
async function filesUnder(root: string, relative: string): Promise<string[]> {
  const full = path.join(root, relative)
  const stat = await fs.promises.stat(full).catch(() => null)
  if (!stat) return []
  if (!stat.isDirectory()) return [relative]
  const entries = await fs.promises.readdir(full, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .toSorted()
}

/** A file of an archive, by its name below a folder. */
export interface ArchivedFile {
  root: string
  name: string
}

/** A zip archive of files as a stream. They are compressed already. A file that is removed meanwhile is stored empty. */
export function archive(files: readonly ArchivedFile[]): Readable {
  const zip = new yazl.ZipFile()
  for (const { root, name } of files)
    zip.addReadStreamLazy(name.split(path.sep).join('/'), { compress: false, mode: 0o600 }, (done) => {
      fs.promises.open(path.join(root, name)).then(
        (handle) => done(null, handle.createReadStream({ highWaterMark: 1 << 18 })),
        () => done(null, Readable.from([])),
      )
    })
  zip.end()
  return zip.outputStream as Readable
}

const listUnder = async (root: string, entries: readonly string[]): Promise<ArchivedFile[]> =>
  (await Promise.all(entries.map((entry) => filesUnder(root, entry)))).flat().map((name) => ({ root, name }))

/**
 * The files beside the stores, or those that were written since a time. Those of an S3-compatible service stay there: it has its own
 * protection.
 */
export async function blobsToArchive(
  dataDir: string,
  blobs: Pick<BlobStore, 'directory'>,
  since: Date | null = null,
): Promise<ArchivedFile[]> {
  const all = [
    ...(await listUnder(dataDir, machineFiles)),
    ...(blobs.directory === null ? [] : await listUnder(blobs.directory, blobFolders)),
  ]
  const files: ArchivedFile[] = []
  for (const file of all)
    if (since === null || (await isNewer(path.join(file.root, file.name), since))) files.push(file)
  return files
}

/** By the time of the last change of the file or its name: a copied file may have an old modification time. */
const isNewer = async (file: string, since: Date): Promise<boolean> =>
  ((await fs.promises.stat(file).catch(() => null))?.ctimeMs ?? 0) >= since.getTime()

/** All files of a folder. */
export const filesOfFolder = (folder: string): Promise<ArchivedFile[]> => listUnder(folder, ['.'])

/** Unpacks an archive into a folder, over files of its base; returns the number of files. */
async function unpack(file: string, folder: string, isAllowed: (name: string) => boolean): Promise<number> {
  const root = path.resolve(folder)
  const zip = await openPromise(file)
  let count = 0
  for await (const entry of zip.eachEntry()) {
    const target = path.resolve(root, entry.fileName)
    if (!isAllowed(entry.fileName) || !target.startsWith(root + path.sep))
      throw new BackupError(`The backup has a file that belongs to no part of it: ${entry.fileName}.`)
    await fs.promises.mkdir(path.dirname(target), { recursive: true })
    const source = await zip.openReadStreamPromise(entry)
    await pipeline(source, fs.createWriteStream(target, { mode: 0o600 }))
    count++
  }
  return count
}

/** Unpacks the files beside the stores into a data directory; others are refused. */
export const unpackBlobs = (file: string, dataDir: string): Promise<number> =>
  unpack(file, dataDir, (name) => blobEntries.some((known) => known === name.split('/')[0]))

/** Unpacks an archive of `filesOfFolder`. */
export const unpackFolder = (file: string, folder: string): Promise<number> =>
  unpack(file, folder, () => true)

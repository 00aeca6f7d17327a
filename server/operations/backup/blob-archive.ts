import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openPromise } from 'yauzl'
import yazl from 'yazl'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import { BackupError } from './manifest.ts'

/** Files of the data directory that are part of backups. */
const machineFiles = ['secret.key', 'demo-city-made'] as const
/** Folders of the blob store that are part of backups. */
const blobFolders = ['logos', 'raw', 'curb-files', 'trip-files', 'exports'] as const
/** Files and folders of a data directory that a backup contains besides the stores. */
export const blobEntries = [...machineFiles, ...blobFolders] as const

/** Lists the paths of all files in a folder, or of a single file, relative to `root`. */
async function listFilesUnder(root: string, relative: string): Promise<string[]> {
  const fullPath = path.join(root, relative)
  const stat = await fs.promises.stat(fullPath).catch(() => null)
  if (!stat) return []
  if (!stat.isDirectory()) return [relative]
  const entries = await fs.promises.readdir(fullPath, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .toSorted()
}

/** A file to be archived, by its path relative to a folder. */
export interface ArchivedFile {
  root: string
  name: string
}

/** Streams a zip archive of files, which are compressed already. Files removed meanwhile are empty. */
export function createArchive(files: readonly ArchivedFile[]): Readable {
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

const listArchivedFiles = async (root: string, entries: readonly string[]): Promise<ArchivedFile[]> =>
  (await Promise.all(entries.map((entry) => listFilesUnder(root, entry))))
    .flat()
    .map((name) => ({ root, name }))

/**
 * Lists the files that a backup contains besides the stores, or those that were written since a time. Files
 * of an S3-compatible service are not included, because such services have their own redundancy.
 */
export async function listBlobsToArchive(
  dataDir: string,
  blobs: Pick<BlobStore, 'directory'>,
  since: Date | null = null,
): Promise<ArchivedFile[]> {
  const candidates = [
    ...(await listArchivedFiles(dataDir, machineFiles)),
    ...(blobs.directory === null ? [] : await listArchivedFiles(blobs.directory, blobFolders)),
  ]
  const files: ArchivedFile[] = []
  for (const file of candidates)
    if (since === null || (await wasWrittenSince(path.join(file.root, file.name), since))) files.push(file)
  return files
}

/** Returns whether a file was written since a time, by its ctime: a copy's mtime may be old. */
const wasWrittenSince = async (file: string, since: Date): Promise<boolean> =>
  ((await fs.promises.stat(file).catch(() => null))?.ctimeMs ?? 0) >= since.getTime()

/** Lists all files in a folder. */
export const listFolderFiles = (folder: string): Promise<ArchivedFile[]> => listArchivedFiles(folder, ['.'])

/** Unpacks an archive into a folder, replacing existing files; returns the number of files. */
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

/** Unpacks an archive of `listBlobsToArchive`. @throws BackupError if it contains other files. */
export const unpackBlobs = (file: string, dataDir: string): Promise<number> =>
  unpack(file, dataDir, (name) => blobEntries.some((entry) => entry === name.split('/')[0]))

/** Unpacks an archive of `listFolderFiles`. */
export const unpackFolder = (file: string, folder: string): Promise<number> =>
  unpack(file, folder, () => true)

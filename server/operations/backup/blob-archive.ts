import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openPromise } from 'yauzl'
import yazl from 'yazl'
import { BackupError } from './manifest.ts'

/** Files and folders of the data directory that are in backups beside the stores. */
export const blobEntries = [
  'secret.key',
  'demo-city-made',
  'logos',
  'raw',
  'curb-files',
  'trip-files',
  'exports',
] as const

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

/** A zip archive of files as a stream. They are compressed already. A file that is removed meanwhile is stored empty. */
function archive(root: string, files: readonly string[]): Readable {
  const zip = new yazl.ZipFile()
  for (const file of files)
    zip.addReadStreamLazy(file.split(path.sep).join('/'), { compress: false, mode: 0o600 }, (done) => {
      fs.promises.open(path.join(root, file)).then(
        (handle) => done(null, handle.createReadStream({ highWaterMark: 1 << 18 })),
        () => done(null, Readable.from([])),
      )
    })
  zip.end()
  return zip.outputStream as Readable
}

/** The files beside the stores. */
export async function archiveBlobs(dataDir: string): Promise<{ stream: Readable; files: string[] }> {
  const files = (await Promise.all(blobEntries.map((entry) => filesUnder(dataDir, entry)))).flat()
  return { stream: archive(dataDir, files), files }
}

/** All files of a folder. */
export const archiveFolder = async (folder: string): Promise<Readable> =>
  archive(folder, await filesUnder(folder, '.'))

/** Unpacks an archive into a folder; returns the number of files. */
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
    await pipeline(source, fs.createWriteStream(target, { mode: 0o600, flags: 'wx' }))
    count++
  }
  return count
}

/** Unpacks the files beside the stores into a data directory; others are refused. */
export const unpackBlobs = (file: string, dataDir: string): Promise<number> =>
  unpack(file, dataDir, (name) => blobEntries.some((known) => known === name.split('/')[0]))

/** Unpacks an archive of `archiveFolder`. */
export const unpackFolder = (file: string, folder: string): Promise<number> =>
  unpack(file, folder, () => true)

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

const filesUnder = async (root: string, relative: string): Promise<string[]> => {
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

/** A zip archive of these files as a stream. A file that is removed meanwhile is stored as an empty one. */
export async function archiveBlobs(dataDir: string): Promise<{ stream: Readable; files: string[] }> {
  const files = (await Promise.all(blobEntries.map((entry) => filesUnder(dataDir, entry)))).flat()
  const zip = new yazl.ZipFile()
  for (const file of files)
    // Most of them are compressed already.
    zip.addReadStreamLazy(file.split(path.sep).join('/'), { compress: false, mode: 0o600 }, (done) => {
      fs.promises.open(path.join(dataDir, file)).then(
        (handle) => done(null, handle.createReadStream()),
        () => done(null, Readable.from([])),
      )
    })
  zip.end()
  return { stream: zip.outputStream as Readable, files }
}

/** Unpacks such an archive into a data directory; entries outside of the known folders are refused. */
export async function unpackBlobs(archive: string, dataDir: string): Promise<number> {
  const zip = await openPromise(archive)
  let count = 0
  for await (const entry of zip.eachEntry()) {
    const [top = ''] = entry.fileName.split('/')
    const target = path.resolve(dataDir, entry.fileName)
    if (!blobEntries.some((known) => known === top) || !target.startsWith(path.resolve(dataDir) + path.sep))
      throw new BackupError(`The backup has a file that belongs to no part of it: ${entry.fileName}.`)
    await fs.promises.mkdir(path.dirname(target), { recursive: true })
    await pipeline(
      await zip.openReadStreamPromise(entry),
      fs.createWriteStream(target, { mode: 0o600, flags: 'wx' }),
    )
    count++
  }
  return count
}

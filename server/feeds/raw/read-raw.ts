import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type RawHead, rawIn } from './raw-files.ts'

const unpack = promisify(gunzip)

/** A kept answer. */
export interface RawAnswer {
  head: RawHead
  body: Buffer
}

/** One kept answer; null where the file is none. */
export async function readRaw(file: string): Promise<RawAnswer | null> {
  try {
    const bytes = await unpack(await fs.readFile(file))
    const end = bytes.indexOf(10)
    return {
      head: JSON.parse(bytes.subarray(0, end).toString('utf8')) as RawHead,
      body: bytes.subarray(end + 1),
    }
  } catch {
    return null
  }
}

/** The files of a feed in the order of their receipt. */
export async function rawFiles(dataDir: string, regionId: string, feedId: string): Promise<string[]> {
  const folder = path.join(rawIn(dataDir), regionId, feedId)
  const days = (await fs.readdir(folder).catch(() => [])).toSorted()
  const files: string[] = []
  for (const day of days)
    for (const name of (await fs.readdir(path.join(folder, day)).catch(() => [])).toSorted())
      if (name.endsWith('.gz')) files.push(path.join(folder, day, name))
  return files
}

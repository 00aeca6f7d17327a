import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { NodeReadable } from '#contract/endpoint.ts'
import { Problem } from '#server/http/problem.ts'
import { csvRecords } from './csv-records.ts'
import type { Recognised } from './files/file-kind.ts'
import { fileBytes, fileLines, TripFileError } from './open-trip-file.ts'
import { plainName } from './layouts/layout.ts'

/** Bytes of a file that are taken, and of what it unpacks to. */
const mostBytes = 4 * 1024 ** 3
const mostUnpacked = 40 * 1024 ** 3

/** Where sent files wait to be imported. */
export const tripFilesIn = (dataDir: string): string => path.join(dataDir, 'trip-files')

/** A trip file as it lies on disk, checked to be one. */
export interface ReceivedFile {
  filePath: string
  bytes: number
  /** Of what it unpacks to: the same table, packed or not, has one hash. */
  contentHash: string
  header: string[]
  headerHash: string
  /** What it is where it holds no trips. */
  recognised: Recognised | null
}

/** Hash of a header, spelling aside: mappings are remembered by it. */
export const headerHash = (header: readonly string[]): string => createHash('sha256').update(header.map(plainName).join('|')).digest('hex').slice(0, 32)

async function write(body: NodeReadable, filePath: string): Promise<number> {
  await fs.promises.mkdir(path.dirname(filePath), { recursive: true })
  const file = await fs.promises.open(filePath, 'wx')
  let bytes = 0
  try {
    for await (const part of body) {
      bytes += part.length
      if (bytes > mostBytes) throw new Problem('too_large', 'The file is larger than 4 GB. Send it in parts.')
      await file.write(part)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return bytes
}

/** The first record of a file: its column names. */
export async function readHeader(filePath: string): Promise<string[]> {
  for await (const records of csvRecords(fileLines(filePath))) {
    const [first] = records
    if (!first) continue
    const header = first.fields?.map((name) => name.trim().replace(/^\uFEFF/, ''))
    if (!header) throw new TripFileError('The first line of the file has an open quotation mark: no column names can be read.')
    if (header.length < 3) throw new TripFileError(`The first line of the file has ${header.length === 1 ? 'one column' : 'two columns'} ('${first.raw.slice(0, 60)}'). A trip file is CSV with a line of column names and one trip a row.`)
    return header
  }
  throw new TripFileError('The file has no line of column names.')
}

async function hashOf(filePath: string): Promise<string> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of fileBytes(filePath)) {
    bytes += part.length
    if (bytes > mostUnpacked) throw new TripFileError('The file unpacks to more than 40 GB. Send it in parts.')
    hash.update(part)
  }
  return hash.digest('hex')
}

/** Takes a sent file onto the disk and checks it as a whole, so that a broken one is refused before any row of it is stored. `recognise` tells what a file is that holds no trips. */
export async function receiveTripFile(dataDir: string, body: NodeReadable, recognise: (filePath: string) => Promise<Recognised | null>): Promise<ReceivedFile> {
  const filePath = path.join(tripFilesIn(dataDir), randomUUID())
  try {
    const bytes = await write(body, filePath)
    if (bytes === 0) throw new TripFileError('The file is empty (0 bytes).')
    const recognised = await recognise(filePath)
    const header = recognised ? [] : await readHeader(filePath)
    return { filePath, bytes, contentHash: await hashOf(filePath), header, headerHash: recognised ? recognised.kind : headerHash(header), recognised }
  } catch (error) {
    await fs.promises.rm(filePath, { force: true })
    if (error instanceof TripFileError) throw new Problem('validation_error', error.message)
    throw error
  }
}

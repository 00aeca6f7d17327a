import { createHmac, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { ExportFormat } from '#contract/exports.ts'
import { runInWorker } from '#server/jobs/run-in-worker.ts'
import type { BlobStore, SignedLink } from '#server/stores/blobs/blob-store.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { Checksum } from './checksum-worker.ts'

const exportsRoot = 'exports/'
/** Length of an export id, a UUID, with which the names of its files begin. */
const exportIdLength = 36
const extensions: Record<ExportFormat, string> = { csv: 'csv.gz', parquet: 'parquet', geojson: 'geojson' }
const mediaTypes: Record<ExportFormat | 'zip', string> = {
  csv: 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
  geojson: 'application/geo+json',
  zip: 'application/zip',
}

/** Fields of an export that determine the name of its file. */
export interface NamedExport {
  table_name: string | null
  format: string | null
  region_id: string
  month: string | null
  operator: string | null
  version: number | null
  question: unknown
}

/** Returns the file name for downloads: table, region and period, or region, month and version. */
export function getFileName({
  table_name: table,
  format,
  region_id: region,
  month,
  operator,
  version,
  question,
}: NamedExport) {
  if (month !== null) return `${region}_${month}${version && version > 1 ? `_v${version}` : ''}.zip`
  if (operator !== null) return `${region}_${operator}.zip`
  const { start_date, end_date } = question as { start_date?: string; end_date?: string }
  return `${[table, region, start_date, end_date].filter(Boolean).join('_')}.${extensions[format as ExportFormat]}`
}

export const getMediaType = ({
  format,
  month,
  operator,
}: Pick<NamedExport, 'format' | 'month' | 'operator'>): string =>
  mediaTypes[month === null && operator === null ? (format as ExportFormat) : 'zip']

const toKey = (exportId: string): string => `${exportsRoot}${exportId}`

/** Files of exports by their ids: written to a folder of this server, then moved to the blob store. */
export class ExportFiles {
  /** Folder of files that are being written. */
  readonly folder: string
  readonly #blobs: BlobStore
  constructor(dataDir: string, blobs: BlobStore) {
    this.folder = path.join(dataDir, 'export-parts')
    this.#blobs = blobs
  }

  /** Returns the path at which a file of an export is written. */
  async getTemporaryPath(exportId: string, name = ''): Promise<string> {
    await fs.promises.mkdir(this.folder, { recursive: true, mode: 0o700 })
    return path.join(this.folder, exportId + name)
  }

  /** Moves the complete file of an export to the blob store. */
  async finish(exportId: string): Promise<void> {
    await this.#blobs.putFile(toKey(exportId), await this.getTemporaryPath(exportId))
  }

  /** Opens a file for download: a URL to redirect to, or else the content; null if there is none. */
  async open(exportId: string, link: SignedLink): Promise<OpenedFile | null> {
    const key = toKey(exportId)
    const info = await this.#blobs.head(key)
    if (!info) return null
    const url = this.#blobs.signedUrl(key, link)
    if (url !== null) return { url }
    const body = await this.#blobs.get(key)
    return body && { body, bytes: info.bytes }
  }

  /** Removes the file of an export, complete or not. */
  async remove(exportId: string): Promise<void> {
    for (const name of await this.#listTemporaryFiles())
      if (name.startsWith(exportId)) await fs.promises.rm(path.join(this.folder, name), { force: true })
    await this.#blobs.delete(toKey(exportId))
  }

  /** Removes files without export and counts them. Lists files first, to keep those of new exports. */
  async removeStray(findNeededIds: () => Promise<ReadonlySet<string>>): Promise<number> {
    const temporaryFiles = await this.#listTemporaryFiles()
    const keys: string[] = []
    for await (const { key } of this.#blobs.list(exportsRoot)) keys.push(key)
    const neededIds = await findNeededIds()
    const strayFiles = temporaryFiles.filter((name) => !neededIds.has(name.slice(0, exportIdLength)))
    const strayKeys = keys.filter((key) => !neededIds.has(key.slice(exportsRoot.length)))
    for (const name of strayFiles) await fs.promises.rm(path.join(this.folder, name), { force: true })
    for (const key of strayKeys) await this.#blobs.delete(key)
    return strayFiles.length + strayKeys.length
  }

  #listTemporaryFiles(): Promise<string[]> {
    return fs.promises.readdir(this.folder).catch(() => [])
  }
}

type OpenedFile = { url: string } | { body: Readable; bytes: number }

/** Computes SHA-256 (hexadecimal) and size of a file on a worker thread: a large file takes seconds. */
export const computeChecksum = (file: string): Promise<Checksum> =>
  runInWorker<Checksum>(new URL('./checksum-worker.ts', import.meta.url), file)

/** Signs links to files, which work without signing in until they expire. */
export class ExportLinks {
  readonly #key: string
  constructor(secretBox: Pick<SecretBox, 'derive'>) {
    this.#key = secretBox.derive('export links')
  }

  #sign(exportId: string, expires: string): string {
    return createHmac('sha256', this.#key).update(`${exportId} ${expires}`).digest('base64url')
  }

  /** Returns path and query of the download. */
  createLink(exportId: string, expires: Date): string {
    const seconds = String(Math.floor(expires.getTime() / 1000))
    return `/v2/public/exports/${exportId}?expires=${seconds}&signature=${this.#sign(exportId, seconds)}`
  }

  /** Checks a link: `altered` if its signature is not valid. */
  check(exportId: string, expires: string, signature: string, at: Date): 'valid' | 'altered' | 'expired' {
    const expected = Buffer.from(this.#sign(exportId, expires))
    const received = Buffer.from(signature)
    if (expected.length !== received.length || !timingSafeEqual(expected, received)) return 'altered'
    return at.getTime() >= Number(expires) * 1000 ? 'expired' : 'valid'
  }
}

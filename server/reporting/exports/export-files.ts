import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ExportFormat } from '#contract/exports.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'

/** Beginning of the names of files that are being written. */
const partPrefix = 'part-'

const extensions: Record<ExportFormat, string> = { csv: 'csv.gz', parquet: 'parquet', geojson: 'geojson' }
const medias: Record<ExportFormat | 'zip', string> = {
  csv: 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
  geojson: 'application/geo+json',
  zip: 'application/zip',
}

export interface FileNamed {
  table_name: string | null
  format: string | null
  region_id: string
  month: string | null
  operator: string | null
  version: number | null
  question: unknown
}

/** Name under which an export is saved: table, region and period; of a monthly zip month and version. */
export function fileNameOf({
  table_name: table,
  format,
  region_id: region,
  month,
  operator,
  version,
  question,
}: FileNamed) {
  if (month !== null) return `${region}_${month}${version && version > 1 ? `_v${version}` : ''}.zip`
  if (operator !== null) return `${region}_${operator}.zip`
  const { start_date: first, end_date: last } = question as { start_date?: string; end_date?: string }
  return `${[table, region, first, last].filter(Boolean).join('_')}.${extensions[format as ExportFormat]}`
}

export const mediaOf = ({
  format,
  month,
  operator,
}: Pick<FileNamed, 'format' | 'month' | 'operator'>): string =>
  medias[month === null && operator === null ? (format as ExportFormat) : 'zip']

/** The folder of exports, and their files by id: written under a temporary name, then renamed. */
export class ExportFiles {
  readonly folder: string
  constructor(dataDir: string) {
    this.folder = path.join(dataDir, 'exports')
  }

  /** Where the file of an export is. */
  pathOf(exportId: string): string {
    return path.join(this.folder, exportId)
  }

  /** A temporary name of a file of an export. */
  async partOf(exportId: string, name = ''): Promise<string> {
    await fs.promises.mkdir(this.folder, { recursive: true, mode: 0o700 })
    return path.join(this.folder, `${partPrefix}${exportId}${name}`)
  }

  /** Makes a file that is complete the file of the export. */
  async finish(exportId: string): Promise<void> {
    await fs.promises.rename(await this.partOf(exportId), this.pathOf(exportId))
  }

  /** Removes all files of an export. */
  async remove(exportId: string): Promise<void> {
    for (const name of await this.list())
      if (name === exportId || name.startsWith(`${partPrefix}${exportId}`))
        await fs.promises.rm(path.join(this.folder, name), { force: true })
  }

  /**
   * Removes files that no export needs, and returns their number. They are listed before the exports are: an export that begins
   * meanwhile loses nothing.
   */
  async removeStray(findNeeded: () => Promise<ReadonlySet<string>>): Promise<number> {
    const names = await this.list()
    const needed = await findNeeded()
    const stray = names.filter((name) => !needed.has(name.replace(partPrefix, '').slice(0, 36)))
    for (const name of stray) await fs.promises.rm(path.join(this.folder, name), { force: true })
    return stray.length
  }

  list(): Promise<string[]> {
    return fs.promises.readdir(this.folder).catch(() => [])
  }
}

/** SHA-256 (hexadecimal) and size of a file. */
export async function checksumOf(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  await pipeline(fs.createReadStream(file, { highWaterMark: 1 << 18 }), hash)
  const { size } = await fs.promises.stat(file)
  return { sha256: hash.digest('hex'), bytes: size }
}

/** Signs links to files, so that they work without a sign-in until they expire. */
export class ExportLinks {
  readonly #key: string
  constructor(box: Pick<SecretBox, 'derive'>) {
    this.#key = box.derive('export links')
  }

  #signatureOf(exportId: string, expires: string): string {
    return createHmac('sha256', this.#key).update(`${exportId} ${expires}`).digest('base64url')
  }

  /** Path and query of the download. */
  linkOf(exportId: string, expires: Date): string {
    const seconds = String(Math.floor(expires.getTime() / 1000))
    return `/v2/public/exports/${exportId}?expires=${seconds}&signature=${this.#signatureOf(exportId, seconds)}`
  }

  check(exportId: string, expires: string, signature: string, at: Date): 'valid' | 'altered' | 'expired' {
    const own = Buffer.from(this.#signatureOf(exportId, expires))
    const given = Buffer.from(signature)
    if (own.length !== given.length || !timingSafeEqual(own, given)) return 'altered'
    return at.getTime() >= Number(expires) * 1000 ? 'expired' : 'valid'
  }
}

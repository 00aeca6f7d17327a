import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const Rows = z.record(z.string(), z.number().int())
const RowRanges = z.record(z.string(), z.tuple([z.number().int(), z.number().int()]))

/** Description of a backup. It is written last, so that folders without it are incomplete. */
export const Manifest = z.object({
  /** Format version of the manifest and of the backup's folder. */
  format: z.literal(1),
  name: z.string(),
  app_version: z.string(),
  started: z.iso.datetime(),
  ended: z.iso.datetime(),
  state: z.object({
    kind: z.enum(['pglite', 'pg_dump']),
    version: z.string(),
    migrations: z.array(z.string()),
    rows: Rows,
  }),
  facts: z.object({
    kind: z.enum(['chdb', 'server']),
    version: z.string(),
    migrations: z.array(z.string()),
    rows: RowRanges,
    /** Target to which a ClickHouse server wrote its part, as SQL without secrets. */
    target: z.string().nullable(),
    /** Name of the database that was backed up. */
    database: z.string().optional(),
  }),
  /** Number of files in `files.zip`. */
  blobs: z.number().int(),
  /** Whether `secret.key` is one of them. Otherwise, reading stored secrets requires the same SECRET_KEY. */
  has_secret_key: z.boolean(),
  is_encrypted: z.boolean(),
  files: z.array(z.object({ name: z.string(), bytes: z.number().int(), sha256: z.string() })),
})
export type Manifest = z.infer<typeof Manifest>

/** Result of the last check of a backup; in a separate file, because the manifest never changes. */
export const Verification = z.object({ at: z.iso.datetime(), problem: z.string().nullable() })
export type Verification = z.infer<typeof Verification>

/** Name of the state store's file by kind of dump. */
export const stateFiles = { pglite: 'state.tar.gz', pg_dump: 'state.dump' } as const
export const manifestFile = 'manifest.json'
const verificationFile = 'verified.json'

/** A backup cannot be made, read or restored. The message says what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

export const partialPrefix = '.partial-'
const namePrefix = 'publicway-'
const namePattern = /^publicway-(?<start>\d{8}T\d{6}Z)(?:-on-(?<base>\d{8}T\d{6}Z))?$/

/** Parses the start time in the name of a backup; null if it is not the name of a backup. */
export function parseBackupStart(name: string): Date | null {
  const start = namePattern.exec(name)?.groups?.['start']
  if (start === undefined) return null
  return new Date(start.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

/** Finds the name of the full backup that an increment needs; null if the name is that of a full backup. */
export function findBaseName(name: string): string | null {
  const base = namePattern.exec(name)?.groups?.['base']
  return base === undefined ? null : namePrefix + base
}

/** Builds the name of a backup that starts at `at`, full or based on another one. Names sort by time. */
export function buildBackupName(at: Date, base: string | null): string {
  const start = `${at.toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`
  return `${namePrefix}${start}${base === null ? '' : `-on-${base.slice(namePrefix.length)}`}`
}

/** Reads the manifest of a backup. @throws BackupError if it is missing, damaged, or of a newer version. */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string
  try {
    text = await fs.readFile(path.join(folder, manifestFile), 'utf8')
  } catch {
    throw new BackupError(`${folder} is no backup: it has no ${manifestFile}.`)
  }
  const { format } = z.object({ format: z.number() }).catch({ format: 0 }).parse(JSON.parse(text))
  if (format > 1)
    throw new BackupError(
      `${folder} was written by a newer version of Publicway (format ${format}). Restore it with that version.`,
    )
  const parsed = Manifest.safeParse(JSON.parse(text))
  if (!parsed.success) throw new BackupError(`${folder}/${manifestFile} is damaged.`)
  return parsed.data
}

/** A complete backup in a folder. */
export interface StoredBackup {
  folder: string
  manifest: Manifest
  verification: Verification | null
}

/** Reads the folder and manifest of an increment's base, which must be beside it; null for a full backup. */
export async function readBase(
  folder: string,
  { name }: Pick<Manifest, 'name'>,
): Promise<{ folder: string; manifest: Manifest } | null> {
  const base = findBaseName(name)
  if (base === null) return null
  const baseFolder = path.join(path.dirname(path.resolve(folder)), base)
  const manifest = await readManifest(baseFolder).catch(() => null)
  if (!manifest)
    throw new BackupError(`${name} is an increment: it needs the backup ${base} in the same folder.`)
  return { folder: baseFolder, manifest }
}

/** Lists the complete backups in a folder, newest first. */
export async function listBackups(directory: string): Promise<StoredBackup[]> {
  const names = await fs.readdir(directory).catch(() => [])
  const backups: StoredBackup[] = []
  const newestFirst = names.filter((name) => namePattern.test(name)).toSorted((a, b) => (a < b ? 1 : -1))
  for (const name of newestFirst) {
    const folder = path.join(directory, name)
    const manifest = await readManifest(folder).catch(() => null)
    if (!manifest) continue
    const verification = await fs
      .readFile(path.join(folder, verificationFile), 'utf8')
      .then((text) => Verification.parse(JSON.parse(text)))
      .catch(() => null)
    backups.push({ folder, manifest, verification })
  }
  return backups
}

/** Stores the result of a check of a backup. */
export const writeVerification = (folder: string, verification: Verification): Promise<void> =>
  fs.writeFile(path.join(folder, verificationFile), JSON.stringify(verification))

/** Counts the rows in a backup; tables that changed during the backup by the smaller number. */
export function countRows({ state, facts }: Manifest): number {
  const counts = [...Object.values(state.rows), ...Object.values(facts.rows).map(([min]) => min)]
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Checks the size and checksum of every file. @throws BackupError if a file differs or is missing. */
export async function checkFiles(folder: string, { files }: Pick<Manifest, 'files'>): Promise<void> {
  for (const { name, bytes, sha256 } of files) {
    const file = path.join(folder, name)
    const hash = createHash('sha256')
    let bytesRead = 0
    try {
      for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
        hash.update(chunk as Buffer)
        bytesRead += (chunk as Buffer).length
      }
    } catch (error) {
      throw new BackupError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'error'}.`)
    }
    if (bytesRead !== bytes || hash.digest('hex') !== sha256)
      throw new BackupError(`${file} was changed or is damaged: its checksum differs. Use another backup.`)
  }
}

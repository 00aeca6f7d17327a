import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const Rows = z.record(z.string(), z.number().int())
const RowRanges = z.record(z.string(), z.tuple([z.number().int(), z.number().int()]))

/** What a backup is: written last, so that a folder without it is no backup. */
export const Manifest = z.object({
  /** Of this file and its folder. */
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
    /** Where a ClickHouse server stored its part: SQL of `backup … to`, without secrets. */
    target: z.string().nullable(),
    /** Name of the database that was backed up. */
    database: z.string().optional(),
  }),
  /** Files of the data directory in `files.zip`. */
  blobs: z.number().int(),
  /** Whether `secret.key` is among them; without it, the key of SECRET_KEY is needed to read stored secrets. */
  has_secret_key: z.boolean(),
  is_encrypted: z.boolean(),
  files: z.array(z.object({ name: z.string(), bytes: z.number().int(), sha256: z.string() })),
})
export type Manifest = z.infer<typeof Manifest>

/** How the last check of a backup ended; beside the manifest, which never changes. */
export const Verification = z.object({ at: z.iso.datetime(), problem: z.string().nullable() })
export type Verification = z.infer<typeof Verification>

/** The file of the state store, by kind. */
export const stateFiles = { pglite: 'state.tar.gz', pg_dump: 'state.dump' } as const

export const manifestFile = 'manifest.json'
const verificationFile = 'verified.json'

/** A backup cannot be made, read or restored; the message says what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

export const partialPrefix = '.partial-'
const namePattern = /^publicway-(?<start>\d{8}T\d{6}Z)(?:-on-(?<base>\d{8}T\d{6}Z))?$/

/** When a backup started, by its name; null: the name is of none. */
export function startOfName(name: string): Date | null {
  const start = namePattern.exec(name)?.groups?.['start']
  if (start === undefined) return null
  return new Date(start.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

/** The full backup that an increment needs, by its name; null: it is a full one. */
export function baseOfName(name: string): string | null {
  const base = namePattern.exec(name)?.groups?.['base']
  return base === undefined ? null : prefix + base
}

const prefix = 'publicway-'

/** The name of a backup that starts now, full or on the base of another one: sorts by time. */
export const backupName = (at: Date, base: string | null): string =>
  `${prefix}${at.toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z${base === null ? '' : `-on-${base.slice(prefix.length)}`}`

/** Reads the manifest of a backup's folder. */
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

export interface StoredBackup {
  folder: string
  manifest: Manifest
  verification: Verification | null
}

/** Folder and manifest of the base of an increment, which is beside it; null: the backup is a full one. */
export async function readBase(
  folder: string,
  { name }: Pick<Manifest, 'name'>,
): Promise<{ folder: string; manifest: Manifest } | null> {
  const base = baseOfName(name)
  if (base === null) return null
  const beside = path.join(path.dirname(path.resolve(folder)), base)
  const manifest = await readManifest(beside).catch(() => null)
  if (!manifest)
    throw new BackupError(`${name} is an increment: it needs the backup ${base} in the same folder.`)
  return { folder: beside, manifest }
}

/** Complete backups of a folder, the newest first. */
export async function listBackups(directory: string): Promise<StoredBackup[]> {
  const names = await fs.readdir(directory).catch(() => [])
  const found: StoredBackup[] = []
  for (const name of names
    .filter((each) => namePattern.test(each))
    .toSorted()
    .toReversed()) {
    const folder = path.join(directory, name)
    const manifest = await readManifest(folder).catch(() => null)
    if (!manifest) continue
    const verification = await fs
      .readFile(path.join(folder, verificationFile), 'utf8')
      .then((text) => Verification.parse(JSON.parse(text)))
      .catch(() => null)
    found.push({ folder, manifest, verification })
  }
  return found
}

/** Stores how a check of a backup ended. */
export const writeVerification = (folder: string, verification: Verification): Promise<void> =>
  fs.writeFile(path.join(folder, verificationFile), JSON.stringify(verification))

/** Rows of all tables of a backup; where a table changed meanwhile, the smaller number. */
export const rowsOf = ({ state, facts }: Manifest): number =>
  [...Object.values(state.rows), ...Object.values(facts.rows).map(([min]) => min)].reduce(
    (sum, rows) => sum + rows,
    0,
  )

import fs from 'node:fs'
import path from 'node:path'
import { blob } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { appVersion } from '#server/config.ts'
import { clickhouseMigrations, postgresMigrations } from '#server/stores/migrations/migrations.ts'
import { factBackupFiles, openFacts, restoreEmbeddedFacts } from '#server/stores/open-facts.ts'
import { embeddedPostgresMajor, openState, restoreEmbeddedState } from '#server/stores/state.ts'
import { volumeOf } from '../health/volumes.ts'
import { blobEntries, unpackBlobs, unpackFolder } from './blob-archive.ts'
import { BackupError, type Manifest, readManifest } from './manifest.ts'
import { checkFiles, readSealed } from './sealed-files.ts'

/** A table of a backup, and what was restored of it. */
export interface RestoredTable {
  store: 'state' | 'facts'
  table: string
  /** Rows of the backup: a range where it changed while it was backed up. */
  expected: [min: number, max: number]
  restored: number
}

export interface RestoreReport {
  manifest: Manifest
  tables: RestoredTable[]
  files: number
  /** Migrations that the backup had not, and that were applied. */
  migrated: string[]
}

export interface RestoreOptions {
  /** The backup's folder. */
  folder: string
  /** The data directory that is made; it must not be in use. */
  dataDir: string
  passphrase: string | null
  /** Replaces stores that are there. */
  isReplacing?: boolean
}

/** What belongs to the stores in a data directory. */
const storeEntries = ['state', 'facts', 'facts-incoming', 'chdb.xml', ...blobEntries]

/** Throws BackupError if this program cannot read the backup. */
export function refuseUnreadable({ state, facts, app_version: version }: Manifest): void {
  const unknown = [
    ...unknownMigrations(state.migrations, postgresMigrations),
    ...unknownMigrations(facts.migrations, clickhouseMigrations),
  ]
  if (unknown.length)
    throw new BackupError(
      `The backup was made by a newer version (${version}; this is ${appVersion}): it has ${unknown.join(', ')}. Install that version or a newer one, and restore with it.`,
    )
  const major = Number.parseInt(state.version, 10)
  if (state.kind === 'pglite' && major !== embeddedPostgresMajor)
    throw new BackupError(
      `The backup has data of PostgreSQL ${major}, and this version reads those of ${embeddedPostgresMajor}. Restore it with Publicway ${version}.`,
    )
  if (state.kind !== 'pglite' || facts.kind !== 'chdb')
    throw new BackupError('The backup is of database servers; restore it with their own tools.')
}

const unknownMigrations = (done: readonly string[], known: readonly { name: string }[]): string[] =>
  done.filter((name) => !known.some((each) => each.name === name))

/** Restores a backup: checks it, builds the data directory beside the old one, migrates it, and exchanges them at the end. */
export async function restoreBackup({
  folder,
  dataDir,
  passphrase,
  isReplacing = false,
}: RestoreOptions): Promise<RestoreReport> {
  const manifest = await readManifest(folder)
  refuseUnreadable(manifest)
  const present = storeEntries.filter((entry) => fs.existsSync(path.join(dataDir, entry)))
  if (present.length && !isReplacing)
    throw new BackupError(
      `${dataDir} has data (${present.join(', ')}). Restore into an empty folder, or replace it with --replace.`,
    )
  await fs.promises.mkdir(dataDir, { recursive: true })
  await requireSpace(manifest, dataDir)
  await checkFiles(folder, manifest)
  const building = path.join(dataDir, '.restoring')
  await fs.promises.rm(building, { recursive: true, force: true })
  await fs.promises.mkdir(building, { mode: 0o700 })
  try {
    const tables = await restoreStores(folder, manifest, building, passphrase)
    const files = await restoreFiles(folder, manifest, building, passphrase)
    const migrated = await migrate(manifest, building)
    await exchange(building, dataDir)
    return { manifest, tables, files, migrated }
  } finally {
    await fs.promises.rm(building, { recursive: true, force: true })
  }
}

async function requireSpace({ files }: Manifest, dataDir: string): Promise<void> {
  const { free } = await volumeOf(dataDir)
  // Packed and unpacked files, the stores made of them, and what migrations write.
  const needed = 3 * files.reduce((sum, { bytes }) => sum + bytes, 0) + (100 << 20)
  if (free !== null && free < needed)
    throw new BackupError(
      `Restoring needs ${Math.ceil(needed / 1e6)} MB in ${dataDir}, and ${Math.floor(free / 1e6)} MB are free.`,
    )
}

async function restoreStores(
  folder: string,
  manifest: Manifest,
  dataDir: string,
  passphrase: string | null,
): Promise<RestoredTable[]> {
  let stateRows: Record<string, number> = {}
  await readSealed(folder, manifest, 'state.tar.gz', passphrase, async (source) => {
    const unpacking = createGunzip()
    const [archive] = await Promise.all([blob(unpacking), pipeline(source, unpacking)])
    stateRows = await restoreEmbeddedState(dataDir, archive)
  })
  const archive = path.join(dataDir, 'facts.zip')
  await readSealed(folder, manifest, 'facts.zip', passphrase, (source) =>
    pipeline(source, fs.createWriteStream(archive)),
  )
  const factFiles = factBackupFiles(dataDir, 'restore')
  await unpackFolder(archive, factFiles)
  await fs.promises.rm(archive)
  const factRows = await restoreEmbeddedFacts(dataDir, factFiles)
  const expectedState = Object.entries(manifest.state.rows).map(
    ([table, rows]) => ['state', table, [rows, rows], stateRows[table] ?? -1] as const,
  )
  const expectedFacts = Object.entries(manifest.facts.rows).map(
    ([table, range]) => ['facts', table, range, factRows[table] ?? -1] as const,
  )
  return [...expectedState, ...expectedFacts].map(([store, table, [min, max], restored]) => ({
    store,
    table,
    expected: [min, max],
    restored,
  }))
}

async function restoreFiles(
  folder: string,
  manifest: Manifest,
  dataDir: string,
  passphrase: string | null,
): Promise<number> {
  const archive = path.join(dataDir, 'files.zip')
  await readSealed(folder, manifest, 'files.zip', passphrase, (source) =>
    pipeline(source, fs.createWriteStream(archive)),
  )
  const count = await unpackBlobs(archive, dataDir)
  await fs.promises.rm(archive)
  return count
}

/** Opens both stores, which applies what the backup had not yet. */
async function migrate({ state, facts }: Manifest, dataDir: string): Promise<string[]> {
  const openedState = await openState({ databaseUrl: null, dataDir })
  const stateDone = await openedState.maintenance.migrations()
  await openedState.close()
  const openedFacts = await openFacts({ clickhouseUrl: null, dataDir })
  const factsDone = await openedFacts.maintenance.migrations()
  await openedFacts.close()
  return [
    ...stateDone.filter((name) => !state.migrations.includes(name)),
    ...factsDone.filter((name) => !facts.migrations.includes(name)),
  ]
}

/** Puts the restored entries in the place of the old ones, which are removed last. */
async function exchange(building: string, dataDir: string): Promise<void> {
  const old = path.join(dataDir, '.replaced')
  await fs.promises.rm(old, { recursive: true, force: true })
  await fs.promises.mkdir(old)
  for (const entry of storeEntries)
    if (fs.existsSync(path.join(dataDir, entry)))
      await fs.promises.rename(path.join(dataDir, entry), path.join(old, entry))
  for (const entry of await fs.promises.readdir(building))
    await fs.promises.rename(path.join(building, entry), path.join(dataDir, entry))
  await fs.promises.rm(old, { recursive: true, force: true })
}

/** Tables with restored rows that differ from the backup. */
export const differingTables = ({ tables }: Pick<RestoreReport, 'tables'>): RestoredTable[] =>
  tables.filter(({ expected: [min, max], restored }) => restored < min || restored > max)

import fs from 'node:fs'
import path from 'node:path'
import { blob } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { appVersion, type Config } from '#server/config.ts'
import { clickhouseMigrations, postgresMigrations } from '#server/stores/migrations/migrations.ts'
import {
  factBackupFiles,
  openFacts,
  openUnmigratedFacts,
  restoreEmbeddedFacts,
} from '#server/stores/open-facts.ts'
import {
  embeddedPostgresMajor,
  openState,
  openUnmigratedState,
  restoreEmbeddedState,
  restoreServerState,
} from '#server/stores/state.ts'
import { volumeOf } from '../health/volumes.ts'
import { blobEntries, unpackBlobs, unpackFolder } from './blob-archive.ts'
import { serverTarget } from './facts-target.ts'
import { BackupError, type Manifest, readBase, readManifest, stateFiles } from './manifest.ts'
import { checkFiles } from './check-files.ts'
import { readSealed } from './sealed-files.ts'

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
  /** Servers that the backup is of, and that are filled. */
  servers?: StoreServers
  passphrase: string | null
  /** Replaces stores that are there. */
  isReplacing?: boolean
  /** Restores the facts of a server into a database that is removed again. */
  isTrial?: boolean
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
}

/** Servers in place of embedded stores. */
export interface StoreServers {
  databaseUrl: string | null
  clickhouseUrl: string | null
  clickhouseCluster?: Config['clickhouseCluster']
  /** Where the ClickHouse server reads its part of a backup. */
  factsTarget: string | null
}

/** The servers of the settings. */
export const serversOf = (
  config: Pick<Config, 'databaseUrl' | 'clickhouseUrl' | 'clickhouseCluster' | 'backups'>,
): StoreServers => ({ ...config, factsTarget: config.backups.factsTarget })

const noServers: StoreServers = { databaseUrl: null, clickhouseUrl: null, factsTarget: null }

/** Throws BackupError unless the backup is of the kinds of stores that are set. */
function refuseOtherKinds({ state, facts }: Manifest, servers: StoreServers): void {
  const parts = [
    { name: 'DATABASE_URL', ofServer: state.kind === 'pg_dump', isSet: servers.databaseUrl !== null },
    { name: 'CLICKHOUSE_URL', ofServer: facts.kind === 'server', isSet: servers.clickhouseUrl !== null },
  ]
  for (const { name, ofServer, isSet } of parts)
    if (ofServer !== isSet)
      throw new BackupError(
        ofServer
          ? `The backup is of a database server: set ${name} to the one that is to be filled.`
          : `The backup is of an embedded store: restore it without ${name}.`,
      )
}

/** Throws BackupError if a server has rows and is not to be replaced. */
async function refuseFilledServers(servers: StoreServers, isReplacing: boolean): Promise<void> {
  if (isReplacing) return
  const filled = (rows: Record<string, number>): boolean => Object.values(rows).some((count) => count > 0)
  if (servers.databaseUrl) {
    const state = await openUnmigratedState({ databaseUrl: servers.databaseUrl, dataDir: '' })
    const rows = await state.maintenance.countRows().finally(() => state.close())
    if (filled(rows)) throw new BackupError('The PostgreSQL database has rows. Replace them with --replace.')
  }
  if (servers.clickhouseUrl) {
    const { facts } = openUnmigratedFacts({ ...servers, dataDir: '' })
    const rows = await facts.maintenance.countRows().finally(() => facts.close())
    if (filled(rows)) throw new BackupError('The ClickHouse database has rows. Replace them with --replace.')
  }
}

const unknownMigrations = (done: readonly string[], known: readonly { name: string }[]): string[] =>
  done.filter((name) => !known.some((each) => each.name === name))

/** Restores a backup: checks it, builds the data directory beside the old one, migrates it, and exchanges them at the end. */
export async function restoreBackup({
  folder,
  dataDir,
  servers = noServers,
  passphrase,
  isReplacing = false,
  isTrial = false,
}: RestoreOptions): Promise<RestoreReport> {
  const manifest = await readManifest(folder)
  refuseUnreadable(manifest)
  refuseOtherKinds(manifest, servers)
  const present = storeEntries.filter((entry) => fs.existsSync(path.join(dataDir, entry)))
  if (present.length && !isReplacing)
    throw new BackupError(
      `${dataDir} has data (${present.join(', ')}). Restore into an empty folder, or replace it with --replace.`,
    )
  await fs.promises.mkdir(dataDir, { recursive: true })
  const base = await readBase(folder, manifest)
  const sources = [...(base ? [base] : []), { folder, manifest }]
  await requireSpace(sources, dataDir)
  for (const source of sources) await checkFiles(source.folder, source.manifest)
  await refuseFilledServers(servers, isReplacing || isTrial)
  const building = path.join(dataDir, '.restoring')
  await fs.promises.rm(building, { recursive: true, force: true })
  await fs.promises.mkdir(building, { mode: 0o700 })
  try {
    // Files first: they can still be refused when nothing of a server was replaced.
    let files = 0
    for (const source of sources)
      files += await restoreFiles(source.folder, source.manifest, building, passphrase)
    const stateRows = await restoreState(folder, manifest, building, servers, passphrase)
    const factRows = await restoreFacts(sources, building, { servers, isTrial }, passphrase)
    const tables = compareRows(manifest, stateRows, factRows)
    const isOnServer = isTrial && servers.clickhouseUrl !== null
    const migrated = await migrate(manifest, building, servers, isOnServer)
    await exchange(building, dataDir)
    return { manifest, tables, files, migrated }
  } finally {
    await fs.promises.rm(building, { recursive: true, force: true })
  }
}

/** A backup after its base. */
type Sources = readonly { folder: string; manifest: Manifest }[]

async function requireSpace(sources: Sources, dataDir: string): Promise<void> {
  const { free } = await volumeOf(dataDir)
  const files = sources.flatMap(({ manifest }) => manifest.files)
  // Packed and unpacked files, the stores made of them, and what migrations write.
  const needed = 3 * files.reduce((sum, { bytes }) => sum + bytes, 0) + (100 << 20)
  if (free !== null && free < needed)
    throw new BackupError(
      `Restoring needs ${Math.ceil(needed / 1e6)} MB in ${dataDir}, and ${Math.floor(free / 1e6)} MB are free.`,
    )
}

async function restoreState(
  folder: string,
  manifest: Manifest,
  dataDir: string,
  { databaseUrl }: StoreServers,
  passphrase: string | null,
): Promise<Record<string, number>> {
  let rows: Record<string, number> = {}
  await readSealed(folder, manifest, stateFiles[manifest.state.kind], passphrase, async (source) => {
    if (databaseUrl !== null) {
      rows = await restoreServerState(databaseUrl, source)
      return
    }
    const unpacking = createGunzip()
    const [archive] = await Promise.all([blob(unpacking), pipeline(source, unpacking)])
    rows = await restoreEmbeddedState(dataDir, archive)
  })
  return rows
}

async function restoreFacts(
  sources: Sources,
  dataDir: string,
  { servers, isTrial }: { servers: StoreServers; isTrial: boolean },
  passphrase: string | null,
): Promise<Record<string, number>> {
  const [{ manifest }, base] = [sources.at(-1) as Sources[number], sources.at(-2)]
  if (servers.clickhouseUrl !== null) {
    const { facts } = openUnmigratedFacts({ ...servers, dataDir })
    try {
      if (!isTrial) await facts.maintenance.dropTables()
      return await facts.maintenance.restore(
        {
          target: serverTarget(servers.factsTarget, manifest.name),
          base: base ? serverTarget(servers.factsTarget, base.manifest.name) : null,
        },
        manifest.facts.database ?? 'default',
        isTrial ? `publicway_verify_${manifest.name.replaceAll(/\W/g, '_')}` : undefined,
      )
    } finally {
      await facts.close()
    }
  }
  const archive = path.join(dataDir, 'facts.zip')
  for (const { folder, manifest: sourceManifest } of sources) {
    await readSealed(folder, sourceManifest, 'facts.zip', passphrase, (source) =>
      pipeline(source, fs.createWriteStream(archive)),
    )
    await unpackFolder(archive, factBackupFiles(dataDir, sourceManifest.name))
    await fs.promises.rm(archive)
  }
  return restoreEmbeddedFacts(
    dataDir,
    factBackupFiles(dataDir, manifest.name),
    base ? factBackupFiles(dataDir, base.manifest.name) : null,
  )
}

/** The rows of all tables of a backup beside those that were restored; -1: there is no such table. */
export function compareRows(
  { state, facts }: Pick<Manifest, 'state' | 'facts'>,
  stateRows: Record<string, number>,
  factRows: Record<string, number>,
): RestoredTable[] {
  return [
    ...Object.entries(state.rows).map(([table, rows]): RestoredTable => ({
      store: 'state',
      table,
      expected: [rows, rows],
      restored: stateRows[table] ?? -1,
    })),
    ...Object.entries(facts.rows).map(([table, expected]): RestoredTable => ({
      store: 'facts',
      table,
      expected,
      restored: factRows[table] ?? -1,
    })),
  ]
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
async function migrate(
  { state, facts }: Manifest,
  dataDir: string,
  servers: StoreServers,
  skipsFacts: boolean,
): Promise<string[]> {
  const openedState = await openState({ databaseUrl: servers.databaseUrl, dataDir })
  const stateDone = await openedState.maintenance.migrations()
  await openedState.close()
  const stateMissing = stateDone.filter((name) => !state.migrations.includes(name))
  if (skipsFacts) return stateMissing
  const openedFacts = await openFacts({ ...servers, dataDir })
  const factsDone = await openedFacts.maintenance.migrations()
  await openedFacts.close()
  return [...stateMissing, ...factsDone.filter((name) => !facts.migrations.includes(name))]
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

import fs from 'node:fs'
import path from 'node:path'
import { blob } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { appVersion, type Config } from '#server/config.ts'
import { clickhouseMigrations, postgresMigrations } from '#server/stores/migrations/migrations.ts'
import {
  getFactBackupPath,
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
import { readVolume } from '../health/volumes.ts'
import { blobEntries, unpackBlobs, unpackFolder } from './blob-archive.ts'
import { toServerTarget } from './facts-target.ts'
import { BackupError, type Manifest, readBase, readManifest, stateFiles, checkFiles } from './manifest.ts'
import { readSealed } from './sealed-files.ts'

/** A table of a backup with its number of rows in the backup and after the restore. */
export interface RestoredTable {
  store: 'state' | 'facts'
  table: string
  /** Rows in the backup; a range if the table changed during the backup. */
  expected: [min: number, max: number]
  /** Restored rows; -1 if the table is missing. */
  restored: number
}

/** The result of a restore. */
export interface RestoreReport {
  manifest: Manifest
  tables: RestoredTable[]
  files: number
  /** Names of the migrations that were applied after the restore. */
  migrated: string[]
}

export interface RestoreOptions {
  /** The backup's folder. */
  folder: string
  /** Data directory into which the backup is restored; it must not be in use. */
  dataDir: string
  /** Servers into which the backup of servers is restored. */
  servers?: StoreServers
  passphrase: string | null
  /** Whether existing stores are replaced. */
  isReplacing?: boolean
  /** Whether facts of a server are restored into a temporary database. */
  isTrial?: boolean
}

/** Files and folders of a data directory that belong to the stores or to backups. */
const storeEntries = ['state', 'facts', 'facts-incoming', 'chdb.xml', ...blobEntries]

/** @throws BackupError if this program cannot read the backup. */
export function checkIsReadable({ state, facts, app_version: version }: Manifest): void {
  const unknownMigrations = [
    ...findUnknownMigrations(state.migrations, postgresMigrations),
    ...findUnknownMigrations(facts.migrations, clickhouseMigrations),
  ]
  if (unknownMigrations.length)
    throw new BackupError(
      `The backup was made by a newer version (${version}; this is ${appVersion}): it has ${unknownMigrations.join(', ')}. Install that version or a newer one, and restore with it.`,
    )
  const major = Number.parseInt(state.version, 10)
  if (state.kind === 'pglite' && major !== embeddedPostgresMajor)
    throw new BackupError(
      `The backup has data of PostgreSQL ${major}, and this version reads those of ${embeddedPostgresMajor}. Restore it with Publicway ${version}.`,
    )
}

/** Servers that are used instead of embedded stores; null for embedded ones. */
export interface StoreServers {
  databaseUrl: string | null
  clickhouseUrl: string | null
  clickhouseCluster?: Config['clickhouseCluster']
  /** Target from which the ClickHouse server reads its part of a backup, as SQL with `{name}`. */
  factsTarget: string | null
}

export const getStoreServers = (
  config: Pick<Config, 'databaseUrl' | 'clickhouseUrl' | 'clickhouseCluster' | 'backups'>,
): StoreServers => ({ ...config, factsTarget: config.backups.factsTarget })

const embeddedStores: StoreServers = { databaseUrl: null, clickhouseUrl: null, factsTarget: null }

/** @throws BackupError unless the backup is of the configured kinds of stores, embedded or server. */
function checkStoreKinds({ state, facts }: Manifest, servers: StoreServers): void {
  const parts = [
    { name: 'DATABASE_URL', isOfServer: state.kind === 'pg_dump', isSet: servers.databaseUrl !== null },
    { name: 'CLICKHOUSE_URL', isOfServer: facts.kind === 'server', isSet: servers.clickhouseUrl !== null },
  ]
  for (const { name, isOfServer, isSet } of parts)
    if (isOfServer !== isSet)
      throw new BackupError(
        isOfServer
          ? `The backup is of a database server: set ${name} to the one that is to be filled.`
          : `The backup is of an embedded store: restore it without ${name}.`,
      )
}

/** @throws BackupError if a server has rows, unless they are to be replaced. */
async function checkServersAreEmpty(servers: StoreServers, isReplacing: boolean): Promise<void> {
  if (isReplacing) return
  const hasRows = (rows: Record<string, number>): boolean => Object.values(rows).some((count) => count > 0)
  if (servers.databaseUrl) {
    const state = await openUnmigratedState({ databaseUrl: servers.databaseUrl, dataDir: '' })
    const rows = await state.maintenance.countRows().finally(() => state.close())
    if (hasRows(rows)) throw new BackupError('The PostgreSQL database has rows. Replace them with --replace.')
  }
  if (servers.clickhouseUrl) {
    const { facts } = openUnmigratedFacts({ ...servers, dataDir: '' })
    const rows = await facts.maintenance.countRows().finally(() => facts.close())
    if (hasRows(rows)) throw new BackupError('The ClickHouse database has rows. Replace them with --replace.')
  }
}

const findUnknownMigrations = (names: readonly string[], known: readonly { name: string }[]): string[] =>
  names.filter((name) => !known.some((migration) => migration.name === name))

/** Restores a backup: checks it, makes and migrates a new data directory, and replaces the old one by it. */
export async function restoreBackup({
  folder,
  dataDir,
  servers = embeddedStores,
  passphrase,
  isReplacing = false,
  isTrial = false,
}: RestoreOptions): Promise<RestoreReport> {
  const manifest = await readManifest(folder)
  checkIsReadable(manifest)
  checkStoreKinds(manifest, servers)
  const existingEntries = storeEntries.filter((entry) => fs.existsSync(path.join(dataDir, entry)))
  if (existingEntries.length && !isReplacing)
    throw new BackupError(
      `${dataDir} has data (${existingEntries.join(', ')}). Restore into an empty folder, or replace it with --replace.`,
    )
  await fs.promises.mkdir(dataDir, { recursive: true })
  const base = await readBase(folder, manifest)
  const sources = [...(base ? [base] : []), { folder, manifest }]
  await checkFreeSpace(sources, dataDir)
  for (const source of sources) await checkFiles(source.folder, source.manifest)
  await checkServersAreEmpty(servers, isReplacing || isTrial)
  const newDataDir = path.join(dataDir, '.restoring')
  await fs.promises.rm(newDataDir, { recursive: true, force: true })
  await fs.promises.mkdir(newDataDir, { mode: 0o700 })
  try {
    // Files are restored first, because they can still be rejected while no server was changed.
    let files = 0
    for (const source of sources)
      files += await restoreFiles(source.folder, source.manifest, newDataDir, passphrase)
    const stateRows = await restoreState({ folder, manifest }, newDataDir, servers, passphrase)
    const factRows = await restoreFacts(sources, newDataDir, { servers, isTrial }, passphrase)
    const tables = compareRows(manifest, stateRows, factRows)
    // The temporary database of a trial is dropped already.
    const skipsFacts = isTrial && servers.clickhouseUrl !== null
    const migrated = await applyMigrations(manifest, newDataDir, servers, skipsFacts)
    await replaceEntries(newDataDir, dataDir)
    return { manifest, tables, files, migrated }
  } finally {
    await fs.promises.rm(newDataDir, { recursive: true, force: true })
  }
}

/** A backup, preceded by its base if it is an increment. */
type Sources = readonly { folder: string; manifest: Manifest }[]

/** @throws BackupError if the disk has too little free space. */
async function checkFreeSpace(sources: Sources, dataDir: string): Promise<void> {
  const { free } = await readVolume(dataDir)
  const files = sources.flatMap(({ manifest }) => manifest.files)
  // Three times the size of the backup: archives, unpacked files, and stores; and 100 MB for migrations.
  const neededBytes = 3 * files.reduce((sum, { bytes }) => sum + bytes, 0) + (100 << 20)
  if (free !== null && free < neededBytes)
    throw new BackupError(
      `Restoring needs ${Math.ceil(neededBytes / 1e6)} MB in ${dataDir}, and ${Math.floor(free / 1e6)} MB are free.`,
    )
}

async function restoreState(
  { folder, manifest }: Sources[number],
  dataDir: string,
  { databaseUrl }: StoreServers,
  passphrase: string | null,
): Promise<Record<string, number>> {
  let rows: Record<string, number> = {}
  await readSealed({ folder, manifest, passphrase }, stateFiles[manifest.state.kind], async (source) => {
    if (databaseUrl !== null) {
      rows = await restoreServerState(databaseUrl, source)
      return
    }
    const gunzip = createGunzip()
    const [archive] = await Promise.all([blob(gunzip), pipeline(source, gunzip)])
    rows = await restoreEmbeddedState(dataDir, archive)
  })
  return rows
}

/** Restores the fact store. Returns the number of rows by table. */
async function restoreFacts(
  sources: Sources,
  dataDir: string,
  { servers, isTrial }: { servers: StoreServers; isTrial: boolean },
  passphrase: string | null,
): Promise<Record<string, number>> {
  const { manifest } = sources.at(-1) as Sources[number]
  const base = sources.at(-2)
  if (servers.clickhouseUrl !== null) {
    const { facts } = openUnmigratedFacts({ ...servers, dataDir })
    try {
      if (!isTrial) await facts.maintenance.dropTables()
      return await facts.maintenance.restore(
        {
          target: toServerTarget(servers.factsTarget, manifest.name),
          base: base ? toServerTarget(servers.factsTarget, base.manifest.name) : null,
        },
        manifest.facts.database ?? 'default',
        isTrial ? `publicway_verify_${manifest.name.replaceAll(/\W/g, '_')}` : undefined,
      )
    } finally {
      await facts.close()
    }
  }
  const archive = path.join(dataDir, 'facts.zip')
  for (const source of sources) {
    await readSealed({ ...source, passphrase }, 'facts.zip', (stream) =>
      pipeline(stream, fs.createWriteStream(archive)),
    )
    await unpackFolder(archive, getFactBackupPath(dataDir, source.manifest.name))
    await fs.promises.rm(archive)
  }
  return restoreEmbeddedFacts(
    dataDir,
    getFactBackupPath(dataDir, manifest.name),
    base ? getFactBackupPath(dataDir, base.manifest.name) : null,
  )
}

/** Lists the tables of a backup with expected and restored rows. */
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
  await readSealed({ folder, manifest, passphrase }, 'files.zip', (source) =>
    pipeline(source, fs.createWriteStream(archive)),
  )
  const count = await unpackBlobs(archive, dataDir)
  await fs.promises.rm(archive)
  return count
}

/** Opens both stores, which applies missing migrations, and returns the names of the applied ones. */
async function applyMigrations(
  { state, facts }: Manifest,
  dataDir: string,
  servers: StoreServers,
  skipsFacts: boolean,
): Promise<string[]> {
  const openedState = await openState({ databaseUrl: servers.databaseUrl, dataDir })
  const stateMigrations = await openedState.maintenance.migrations()
  await openedState.close()
  const newStateMigrations = stateMigrations.filter((name) => !state.migrations.includes(name))
  if (skipsFacts) return newStateMigrations
  const openedFacts = await openFacts({ ...servers, dataDir })
  const factMigrations = await openedFacts.maintenance.migrations()
  await openedFacts.close()
  return [...newStateMigrations, ...factMigrations.filter((name) => !facts.migrations.includes(name))]
}

/** Replaces the entries of a data directory by the restored ones. The old entries are removed last. */
async function replaceEntries(newDataDir: string, dataDir: string): Promise<void> {
  const oldEntries = path.join(dataDir, '.replaced')
  await fs.promises.rm(oldEntries, { recursive: true, force: true })
  await fs.promises.mkdir(oldEntries)
  for (const entry of storeEntries)
    if (fs.existsSync(path.join(dataDir, entry)))
      await fs.promises.rename(path.join(dataDir, entry), path.join(oldEntries, entry))
  for (const entry of await fs.promises.readdir(newDataDir))
    await fs.promises.rename(path.join(newDataDir, entry), path.join(dataDir, entry))
  await fs.promises.rm(oldEntries, { recursive: true, force: true })
}

/** Finds tables with a number of restored rows other than in the backup. */
export const findDifferingTables = ({ tables }: Pick<RestoreReport, 'tables'>): RestoredTable[] =>
  tables.filter(({ expected: [min, max], restored }) => restored < min || restored > max)

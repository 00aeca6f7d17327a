import fs from 'node:fs'
import path from 'node:path'
import { createGzip } from 'node:zlib'
import { appVersion } from '#server/config.ts'
import { runInWorker } from '#server/jobs/run-in-worker.ts'
import { toFolderTarget } from '#server/stores/facts-maintenance.ts'
import { getFactBackupPath } from '#server/stores/open-facts.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { State } from '#server/stores/state.ts'
import { readVolume } from '../health/volumes.ts'
import { listBlobsToArchive, listFolderFiles } from './blob-archive.ts'
import { copyBackup } from './copies.ts'
import { toServerTarget, withoutCredentials } from './facts-target.ts'
import {
  BackupError,
  buildBackupName,
  findBaseName,
  listBackups,
  type Manifest,
  manifestFile,
  partialPrefix,
  stateFiles,
  type StoredBackup,
} from './manifest.ts'
import { defaultRetention, findExpiredBackups, type Retention } from './expired-backups.ts'
import type { SealedArchive } from './seal-archive-worker.ts'
import { type FileEntry, type Sealing, writeSealed } from './sealed-files.ts'

export interface BackupSources {
  state: Pick<State, 'maintenance'>
  facts: Pick<Facts, 'maintenance'>
  blobs: Pick<BlobStore, 'directory'>
  dataDir: string
  /** Folder of backups. */
  directory: string
  passphrase: string | null
  /** Target to which a ClickHouse server writes its part, as SQL with `{name}`. */
  factsTarget: string | null
  /** Store to which the complete backup is copied. */
  copies?: BlobStore | null
  retention?: Retention
  /** Stores only what is not in the newest full backup. If there is none, a full backup is made. */
  isIncrement?: boolean
  /** Limits the speed, so that calls of a running server are hardly slowed down. */
  isPaced?: boolean
  now: () => Date
}

/** Free space required for a backup, relative to the size of the data, which is compressed too. */
const neededSpaceFactor = 1.2
const minFreeBytes = 200 << 20
/** At this speed, 1 GB of facts takes half a minute to copy and as long to pack. */
const pacedBytesPerSecond = 40 << 20
/** The fastest compression level. It suffices, because pages of the state store consist of zeros and text. */
const gzipLevel = 1

/**
 * Makes a backup while the server runs: first state, then facts, then files. Facts that are newer than the
 * state are harmless; state that refers to missing facts would not be. The backup appears in its folder only
 * once it is complete.
 */
export async function makeBackup(sources: BackupSources): Promise<StoredBackup> {
  const { dataDir, directory, now } = sources
  const retention = sources.retention ?? defaultRetention
  await fs.promises.mkdir(directory, { recursive: true, mode: 0o700 })
  const newestFull = await findNewestFull(directory)
  await removePartialBackups(directory, dataDir, newestFull?.name ?? null)
  const base = sources.isIncrement && newestFull && canBeBase(newestFull, sources) ? newestFull : null
  await checkFreeSpace(sources)
  const started = now()
  const name = buildBackupName(started, base?.name ?? null)
  const folder = path.join(directory, name)
  if (fs.existsSync(folder)) throw new BackupError(`There is already a backup ${name}. Try again.`)
  const partialFolder = path.join(directory, partialPrefix + name)
  await fs.promises.mkdir(partialFolder, { mode: 0o700 })
  try {
    const manifest = await writeBackup(sources, { folder: partialFolder, name, base, started })
    await fs.promises.rename(partialFolder, folder)
    await syncFolder(directory)
    await removeExpired(directory, retention)
    if (sources.copies) await copyBackup(folder, sources.copies, retention)
    return { folder, manifest, verification: null }
  } catch (error) {
    await fs.promises.rm(partialFolder, { recursive: true, force: true })
    throw error
  } finally {
    await removeFactFiles(dataDir, (await findNewestFull(directory))?.name ?? null)
  }
}

/** A backup that is being written. */
interface NewBackup {
  /** Folder into which the files are written. */
  folder: string
  name: string
  /** The full backup of which this is an increment; null for a full backup. */
  base: Manifest | null
  started: Date
}

async function writeBackup(
  sources: BackupSources,
  { folder, name, base, started }: NewBackup,
): Promise<Manifest> {
  const { state, facts, dataDir, passphrase, now } = sources
  const { isEmbedded } = facts.maintenance
  const bytesPerSecond = sources.isPaced ? pacedBytesPerSecond : null
  const sealing: Sealing = { folder, passphrase, bytesPerSecond }
  const stateDump = await dumpState(state, sealing)
  const factsDump = await backUpFacts(sources, { name, base, sealing })
  const blobs = await listBlobsToArchive(dataDir, sources.blobs, base && new Date(base.started))
  const blobArchive = await sealArchive({ files: blobs, name: 'files.zip', sealing })
  const manifest: Manifest = {
    format: 1,
    name,
    app_version: appVersion,
    started: started.toISOString(),
    ended: now().toISOString(),
    state: {
      kind: state.maintenance.dumpKind,
      version: await state.maintenance.version(),
      migrations: await state.maintenance.migrations(),
      rows: stateDump.rows,
    },
    facts: {
      kind: isEmbedded ? 'chdb' : 'server',
      version: await facts.maintenance.version(),
      migrations: await facts.maintenance.migrations(),
      rows: factsDump.rows,
      target: isEmbedded ? null : withoutCredentials(factsDump.target),
      database: await facts.maintenance.database(),
    },
    blobs: blobs.length,
    has_secret_key: blobs.some((blob) => blob.name === 'secret.key') || base?.has_secret_key === true,
    is_encrypted: passphrase !== null,
    files: [...stateDump.files, ...factsDump.files, blobArchive],
  }
  await fs.promises.writeFile(path.join(folder, manifestFile), JSON.stringify(manifest, null, 1), {
    mode: 0o600,
    flush: true,
  })
  if (isEmbedded && base === null) await removeFactData(getFactBackupPath(dataDir, name))
  return manifest
}

async function dumpState({ maintenance }: BackupSources['state'], sealing: Sealing) {
  const files: FileEntry[] = []
  const rows = await maintenance.dump(async (source) => {
    // pg_dump already compresses its output.
    const compressed =
      maintenance.dumpKind === 'pg_dump' ? source : source.pipe(createGzip({ level: gzipLevel }))
    files.push(await writeSealed(compressed, stateFiles[maintenance.dumpKind], sealing))
  })
  return { rows, files }
}

/** Backs up the facts: to a target of the ClickHouse server, or to an archive of the backup. */
async function backUpFacts(
  { facts, dataDir, factsTarget }: BackupSources,
  { name, base, sealing }: { name: string; base: Manifest | null; sealing: Sealing },
) {
  const { isEmbedded } = facts.maintenance
  const folder = getFactBackupPath(dataDir, name)
  const getTarget = (backup: string): string =>
    isEmbedded ? toFolderTarget(getFactBackupPath(dataDir, backup)) : toServerTarget(factsTarget, backup)
  const target = getTarget(name)
  if (isEmbedded) await fs.promises.mkdir(path.dirname(folder), { recursive: true })
  const rows = await facts.maintenance.backup({
    target,
    base: base && getTarget(base.name),
    bytesPerSecond: sealing.bytesPerSecond,
  })
  const files = isEmbedded
    ? [await sealArchive({ files: await listFolderFiles(folder), name: 'facts.zip', sealing })]
    : []
  return { target, rows, files }
}

/** Writes an archive on a worker thread, because checksums of gigabytes take seconds. */
const sealArchive = (archive: SealedArchive): Promise<FileEntry> =>
  runInWorker(new URL('./seal-archive-worker.ts', import.meta.url), archive)

const findNewestFull = async (directory: string): Promise<Manifest | null> =>
  (await listBackups(directory)).find(({ manifest }) => findBaseName(manifest.name) === null)?.manifest ??
  null

/** ClickHouse's list of the files in a backup; the only file of the base that an increment needs. */
const metadataFile = '.backup'

/** Returns whether a full backup can be an increment's base: its fact store is of the same kind. */
function canBeBase({ name, facts: { kind } }: Manifest, { facts, dataDir }: BackupSources): boolean {
  if (!facts.maintenance.isEmbedded) return kind === 'server'
  return kind === 'chdb' && fs.existsSync(path.join(getFactBackupPath(dataDir, name), metadataFile))
}

/** Removes all files of facts but the metadata. */
async function removeFactData(files: string): Promise<void> {
  for (const entry of await fs.promises.readdir(files))
    if (entry !== metadataFile) await fs.promises.rm(path.join(files, entry), { recursive: true })
}

/** Removes leftovers of interrupted backups. */
async function removePartialBackups(directory: string, dataDir: string, base: string | null): Promise<void> {
  for (const name of await fs.promises.readdir(directory))
    if (name.startsWith(partialPrefix))
      await fs.promises.rm(path.join(directory, name), { recursive: true, force: true })
  await removeFactFiles(dataDir, base)
}

/** Removes files of facts of all backups except `base`, the base of the next increment. */
async function removeFactFiles(dataDir: string, base: string | null): Promise<void> {
  const folder = path.dirname(getFactBackupPath(dataDir, 'any'))
  for (const name of await fs.promises.readdir(folder).catch(() => []))
    if (name !== base) await fs.promises.rm(path.join(folder, name), { recursive: true, force: true })
}

/** @throws BackupError if the disk has too little free space for a backup. */
async function checkFreeSpace({ state, facts, directory }: BackupSources): Promise<void> {
  const { free } = await readVolume(directory)
  // Files of facts exist twice for a while: as written by the fact store, and in the archive.
  const factBytes = facts.maintenance.isEmbedded ? 2 * (await facts.maintenance.size()) : 0
  const neededBytes = neededSpaceFactor * ((await state.maintenance.size()) + factBytes) + minFreeBytes
  if (free !== null && free < neededBytes)
    throw new BackupError(
      `A backup needs ${Math.ceil(neededBytes / 1e6)} MB in ${directory}, and ${Math.floor(free / 1e6)} MB are free.`,
    )
}

/** Flushes a folder to disk, so that a renamed entry survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.promises.open(folder)
  await handle.sync().catch(() => undefined)
  await handle.close()
}

async function removeExpired(directory: string, retention: Retention): Promise<void> {
  const backups = (await listBackups(directory)).map(({ folder, manifest, verification }) => ({
    folder,
    name: manifest.name,
    started: new Date(manifest.started),
    isVerified: verification?.problem === null,
  }))
  for (const { folder } of findExpiredBackups(backups, retention))
    await fs.promises.rm(folder, { recursive: true, force: true })
}

import path from 'node:path'
import { Backup } from '../../contract/server-status.ts'
import { readProcessConfig } from '../../server/config.ts'
import { presentBackup } from '../../server/operations/backup/backups.ts'
import { makeBackup } from '../../server/operations/backup/back-up.ts'
import { BackupError, listBackups, Verification } from '../../server/operations/backup/manifest.ts'
import { fetchCopy, listCopies, openCopies } from '../../server/operations/backup/copies.ts'
import {
  findDifferingTables,
  restoreBackup,
  getStoreServers,
} from '../../server/operations/backup/restore.ts'
import { verifyBackup } from '../../server/operations/backup/verify.ts'
import { openUnmigratedStores } from '../../server/operations/upgrade/open-stores.ts'
import { openBlobStore } from '../../server/stores/blobs/open-blob-store.ts'
import { type Command, formatMegabytes, type Outcome, getString, formatTable, UsageError } from './command.ts'
import { runOnServerOrLocally, withLock } from './with-server.ts'

const now = (): Date => new Date()

const describeBackup = ({ name, bytes, rows, is_encrypted: isEncrypted }: Backup): string =>
  `${name}: ${rows} rows, ${formatMegabytes(bytes)}${isEncrypted ? ', encrypted' : ''}`

const backup: Command = {
  name: 'backup',
  summary: 'Make a backup now, also while the server runs',
  options: {
    increment: { type: 'boolean', description: 'Store only what is new since the last full backup' },
  },
  async run(values) {
    const isIncrement = values['increment'] === true
    const input = { increment: isIncrement }
    const newBackup = await runOnServerOrLocally('backup', input, Backup.parse, async (config) => {
      const stores = await openUnmigratedStores(config)
      try {
        return presentBackup(
          await makeBackup({
            ...stores,
            blobs: openBlobStore(config, now),
            dataDir: config.dataDir,
            ...config.backups,
            copies: openCopies(config, now),
            isIncrement,
            now,
          }),
        )
      } finally {
        await stores.facts.close()
        await stores.state.close()
      }
    })
    const { directory } = readProcessConfig().backups
    return { lines: [describeBackup(newBackup), path.join(directory, newBackup.name)], data: newBackup }
  },
}

const list: Command = {
  name: 'backups',
  summary: 'List the backups',
  async run() {
    const backups = (await listBackups(readProcessConfig().backups.directory)).map(presentBackup)
    const rows = backups.map((backup) => [
      backup.name,
      formatMegabytes(backup.bytes),
      `${backup.rows} rows`,
      backup.verified
        ? `checked ${backup.verified.slice(0, 10)}${backup.verify_problem ? `: ${backup.verify_problem}` : ''}`
        : 'not checked',
    ])
    return { lines: rows.length ? formatTable(rows) : ['There is no backup yet.'], data: { items: backups } }
  },
}

/** Finds the folder of a backup that is given by its path or name; of the newest one if none is given. */
async function findFolder(pathOrName: string | null): Promise<string> {
  const { directory } = readProcessConfig().backups
  if (pathOrName)
    return pathOrName.includes(path.sep) ? path.resolve(pathOrName) : path.join(directory, pathOrName)
  const [newest] = await listBackups(directory)
  if (!newest) throw new BackupError(`There is no backup in ${directory}.`)
  return newest.folder
}

const verify: Command = {
  name: 'verify',
  summary: 'Restore a backup into a temporary folder and compare it',
  arguments: '[BACKUP]',
  async run(_values, [pathOrName]) {
    const folder = await findFolder(pathOrName ?? null)
    const { at, problem } = await runOnServerOrLocally(
      'verify',
      { name: path.basename(folder) },
      Verification.parse,
      (config) =>
        verifyBackup({
          folder,
          dataDir: config.dataDir,
          servers: getStoreServers(config),
          passphrase: config.backups.passphrase,
          now,
        }),
    )
    const data = { backup: path.basename(folder), at, problem }
    return problem === null
      ? { lines: [`${path.basename(folder)} can be restored; all tables have the rows of the backup.`], data }
      : { lines: [problem], data, status: 'failed' }
  },
}

const restore: Command = {
  name: 'restore',
  summary: 'Restore a backup into a data directory; its server must be stopped',
  arguments: '[BACKUP]',
  options: {
    to: { type: 'string', value: 'FOLDER', description: 'Data directory to restore into (DATA_DIR)' },
    replace: { type: 'boolean', description: 'Replace existing data' },
  },
  async run(values, [pathOrName]): Promise<Outcome> {
    const config = readProcessConfig()
    const folder = await findFolder(pathOrName ?? null)
    const dataDir = path.resolve(getString(values, 'to') ?? config.dataDir)
    const report = await withLock(dataDir, () =>
      restoreBackup({
        folder,
        dataDir,
        servers: getStoreServers(config),
        passphrase: config.backups.passphrase,
        isReplacing: values['replace'] === true,
      }),
    )
    const differing = findDifferingTables(report)
    const nonEmpty = report.tables.filter(({ expected: [, max], restored }) => max > 0 || restored > 0)
    const lines = formatTable([
      ['table', 'backup', 'restored'],
      ...nonEmpty.map(({ store, table: name, expected: [min, max], restored }) => [
        `${store}.${name}`,
        min === max ? String(min) : `${min} to ${max}`,
        String(restored),
      ]),
    ])
    const { manifest, files, migrated } = report
    return {
      lines: [
        ...lines,
        `${files} files`,
        ...(migrated.length ? [`Migrated: ${migrated.join(', ')}`] : []),
        ...(manifest.has_secret_key
          ? []
          : ['Set SECRET_KEY to that of the old server: stored secrets need it.']),
        differing.length
          ? `${differing.length} tables differ from the backup.`
          : `${dataDir} was restored from ${manifest.name}.`,
      ],
      data: {
        backup: manifest.name,
        data_dir: dataDir,
        tables: report.tables,
        files,
        migrated,
        differing: differing.length,
      },
      ...(differing.length ? { status: 'problems' as const } : {}),
    }
  },
}

const fetchBackup: Command = {
  name: 'fetch-backup',
  summary: 'Fetch a copy of a backup from BACKUP_COPY_URL into the folder of backups',
  arguments: '[BACKUP]',
  options: { list: { type: 'boolean', description: 'Only list the copies' } },
  async run(values, [name]): Promise<Outcome> {
    const config = readProcessConfig()
    const copies = openCopies(config, now)
    if (!copies) throw new UsageError('Set BACKUP_COPY_URL to where the copies are.')
    if (values['list'] === true) {
      const names = await listCopies(copies)
      return { lines: names.length ? names : ['There is no copy yet.'], data: { items: names } }
    }
    const folder = await fetchCopy(copies, name ?? null, config.backups.directory)
    return { lines: [folder], data: { folder } }
  },
}

export const backupCommands: Command[] = [backup, list, verify, restore, fetchBackup]

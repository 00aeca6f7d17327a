// Backups of PostgreSQL and ClickHouse servers, their copies, and restores into other databases.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { fetchCopy, listCopies, openCopies } from '#server/operations/backup/copies.ts'
import { findBaseName } from '#server/operations/backup/manifest.ts'
import { findDifferingTables, restoreBackup, getStoreServers } from '#server/operations/backup/restore.ts'
import { verifyBackup } from '#server/operations/backup/verify.ts'
import { openTestApp, type TestApp } from '../app.ts'
import { makeCity } from '../city.ts'
import { createDatabase, createFolder } from './open-stores.ts'

const { TEST_DATABASE_URL = '', TEST_CLICKHOUSE_URL = '', TEST_CLICKHOUSE_BACKUPS = '' } = process.env
const now = (): Date => new Date()

describe.skipIf(!TEST_DATABASE_URL || !TEST_CLICKHOUSE_URL || !TEST_CLICKHOUSE_BACKUPS)(
  'a backup of servers (skipped without TEST_DATABASE_URL, TEST_CLICKHOUSE_URL and TEST_CLICKHOUSE_BACKUPS)',
  () => {
    const { folder, remove } = createFolder()
    const clickhouse = createClient({ url: TEST_CLICKHOUSE_URL || 'http://localhost' })
    const drops: (() => Promise<unknown>)[] = []
    /** Creates empty databases. Returns the settings of a server that uses them. */
    const createSettings = async (name: string): Promise<Record<string, string>> => {
      const database = await createDatabase(TEST_DATABASE_URL)
      const facts = `t_${randomBytes(6).toString('hex')}`
      await clickhouse.command({ query: `create database ${facts}` })
      drops.push(database.drop, () => clickhouse.command({ query: `drop database if exists ${facts}` }))
      return {
        DATA_DIR: path.join(folder, name),
        DEMO: 'off',
        DATABASE_URL: database.url,
        CLICKHOUSE_URL: new URL(`/${facts}`, TEST_CLICKHOUSE_URL).href,
        CLICKHOUSE_BACKUP_TO: `File('${TEST_CLICKHOUSE_BACKUPS}/{name}')`,
        BACKUP_DIR: path.join(folder, 'backups'),
        BACKUP_COPY_URL: pathToFileURL(path.join(folder, 'copies')).href,
        BACKUP_PASSPHRASE: 'a passphrase of the test',
        SECRET_KEY: 'ab'.repeat(32),
      }
    }
    let settings: Record<string, string>
    let app: TestApp
    beforeAll(async () => {
      settings = await createSettings('one')
      app = await openTestApp(path.join(folder, 'one'), settings)
      await makeCity(app)
    })
    afterAll(async () => {
      await app?.stop()
      for (const drop of drops) await drop()
      await clickhouse.close()
      remove()
    })

    it('a backup is verified, copied, and restored into other databases with all rows, an increment after its base', async () => {
      const full = (await app.operations.backups.make()).manifest
      const { manifest, folder: backup } = await app.operations.backups.make(true)
      expect(findBaseName(manifest.name)).toBe(full.name)
      const getSize = (name: string): number =>
        fs
          .readdirSync(path.join(TEST_CLICKHOUSE_BACKUPS, name), { recursive: true, withFileTypes: true })
          .reduce(
            (sum, file) =>
              sum + (file.isFile() ? fs.statSync(path.join(file.parentPath, file.name)).size : 0),
            0,
          )
      expect(getSize(manifest.name)).toBeLessThan(getSize(full.name))
      expect(manifest).toMatchObject({
        state: { kind: 'pg_dump', rows: { region: 3 } },
        facts: { kind: 'server', target: `File('${TEST_CLICKHOUSE_BACKUPS}/${manifest.name}')` },
        is_encrypted: true,
      })
      expect(manifest.facts.rows['trips']?.[0]).toBeGreaterThan(100)
      expect(manifest.files.map(({ name }) => name)).toEqual(['state.dump.enc', 'files.zip.enc'])

      const config = readConfig(settings)
      const options = { dataDir: config.dataDir, passphrase: config.backups.passphrase, now }
      const checked = await verifyBackup({ ...options, folder: backup, servers: getStoreServers(config) })
      expect(checked.problem).toBe(null)
      const query = "show databases like 'publicway_verify%'"
      const remainingDatabases = await clickhouse.query({ query, format: 'JSONEachRow' })
      expect(await remainingDatabases.json()).toEqual([])

      // The machine and its backup folder are lost.
      fs.rmSync(path.join(folder, 'backups'), { recursive: true })
      const otherConfig = readConfig(await createSettings('two'))
      const copies = openCopies(otherConfig, now)
      if (!copies) throw new Error('There is no store of copies')
      expect(await listCopies(copies)).toEqual([manifest.name, full.name])
      const fetched = await fetchCopy(copies, null, otherConfig.backups.directory)
      const restored = await restoreBackup({
        folder: fetched,
        dataDir: otherConfig.dataDir,
        servers: getStoreServers(otherConfig),
        passphrase: otherConfig.backups.passphrase,
      })
      expect(findDifferingTables(restored)).toEqual([])
      expect(restored.tables.length).toBeGreaterThan(50)

      const repeatedRestore = {
        folder: fetched,
        dataDir: path.join(folder, 'three'),
        servers: getStoreServers(otherConfig),
        passphrase: otherConfig.backups.passphrase,
      }
      await expect(restoreBackup(repeatedRestore)).rejects.toThrow('has rows. Replace them with --replace')
      expect(findDifferingTables(await restoreBackup({ ...repeatedRestore, isReplacing: true }))).toEqual([])
      await expect(
        restoreBackup({
          ...repeatedRestore,
          servers: { ...getStoreServers(otherConfig), databaseUrl: null },
        }),
      ).rejects.toThrow('set DATABASE_URL')
      // Fails before anything is replaced.
      await expect(
        restoreBackup({ ...repeatedRestore, isReplacing: true, passphrase: 'another passphrase' }),
      ).rejects.toThrow('passphrase')
    })
  },
)

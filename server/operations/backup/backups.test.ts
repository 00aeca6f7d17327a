import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { computeRowRanges } from '#server/stores/facts-maintenance.ts'
import { isBackupDue, isIncrementDue } from './backups.ts'
import { restoreBackup } from './restore.ts'
import { describeDifferences } from './verify.ts'

/** Times of the machine's zone, in which the hour is set. */
const time = (day: number, hour: number): Date => new Date(2026, 10, day, hour)

test('A backup is due once a day from the hour on, also if the server was off at that hour', () => {
  const due = (newest: Date | null, at: Date): boolean => isBackupDue(3, newest, at)
  expect([
    due(null, time(26, 2)),
    due(null, time(26, 3)),
    due(time(25, 3), time(26, 2)),
    due(time(25, 3), time(26, 3)),
    due(time(25, 3), time(26, 23)),
    due(time(26, 3), time(26, 23)),
    due(time(26, 1), time(26, 3)),
  ]).toEqual([false, true, false, true, true, false, false])
  expect(isBackupDue(null, null, time(26, 3))).toBe(false)
})

test('An increment is due after the set number of minutes since the newest backup', () => {
  expect([
    isIncrementDue(60, time(26, 3), time(26, 4)),
    isIncrementDue(60, time(26, 3), new Date(2026, 10, 26, 3, 59)),
    isIncrementDue(60, null, time(26, 4)),
    isIncrementDue(null, time(26, 3), time(26, 9)),
  ]).toEqual([true, false, false, false])
})

test('computeRowRanges counts rows of a table that changes as a range', () => {
  const part = (table: string, name: string, rows: number) => ({ table, name, rows: String(rows) })
  const stable = [part('trips', 'a', 10), part('trips', 'b', 5)]
  expect(computeRowRanges(['trips', 'empty'], stable, stable)).toEqual({ trips: [15, 15], empty: [0, 0] })
  // An insert, and a merge of a and b into c.
  expect(computeRowRanges(['trips'], stable, [...stable, part('trips', 'n', 3)])).toEqual({ trips: [15, 18] })
  expect(computeRowRanges(['trips'], stable, [part('trips', 'c', 14)])).toEqual({ trips: [0, 29] })
})

test('describeDifferences finds tables that are missing or have too few or too many rows', () => {
  const table = (name: string, min: number, max: number, restored: number) => ({
    store: 'facts' as const,
    table: name,
    expected: [min, max] as [number, number],
    restored,
  })
  expect(
    describeDifferences({ tables: [table('a', 3, 3, 3), table('b', 3, 9, 9), table('c', 0, 0, 0)] }),
  ).toBeNull()
  expect(
    describeDifferences({ tables: [table('a', 3, 3, 2), table('b', 3, 9, 10), table('c', 0, 0, -1)] }),
  ).toBe(
    '3 tables differ: facts.a has 2 rows instead of 3; facts.b has 10 rows instead of 3 to 9; facts.c has no table instead of 0.',
  )
})

test('restoreBackup restores no backup of a newer version or of another PostgreSQL, and no folder without one', async () => {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'publicway-backup-'))
  const dataDir = path.join(folder, 'restored')
  const at = '2026-11-26T03:00:00Z'
  const store = { version: '18.1', migrations: [] as string[], rows: {} }
  const restore = () => restoreBackup({ folder, dataDir, passphrase: null })
  const restoreOf = (over: object, state: object = {}) => {
    const manifest = {
      format: 1,
      name: 'publicway-20261126T030000Z',
      app_version: '9.0',
      started: at,
      ended: at,
      state: { kind: 'pglite', ...store, ...state },
      facts: { kind: 'chdb', ...store, target: null },
      blobs: 0,
      has_secret_key: false,
      is_encrypted: false,
      files: [],
      ...over,
    }
    fs.writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest))
    return restore()
  }
  await expect(restore()).rejects.toThrow('is no backup')
  await expect(restoreOf({ format: 2 })).rejects.toThrow(/newer version.*format 2/)
  await expect(restoreOf({}, { migrations: ['900-future'] })).rejects.toThrow(/newer version.*900-future/)
  await expect(restoreOf({}, { version: '16.4' })).rejects.toThrow(/data of PostgreSQL 16/)
  expect(fs.existsSync(dataDir)).toBe(false)
  fs.rmSync(folder, { recursive: true })
})

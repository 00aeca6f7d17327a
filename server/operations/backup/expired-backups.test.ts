import { expect, test } from 'vitest'
import { findBaseName, buildBackupName, parseBackupStart } from './manifest.ts'
import { findExpiredBackups } from './expired-backups.ts'

const dayMs = 86_400_000
const last = Date.UTC(2026, 10, 26, 3)
const createBackup = (time: number, base: number | null = null) => ({
  name: buildBackupName(new Date(time), base === null ? null : buildBackupName(new Date(base), null)),
  started: new Date(time),
  isVerified: false,
})
const createNightlyBackups = (days: number) =>
  Array.from({ length: days }, (_, index) => createBackup(last - index * dayMs))
const listDays = (backups: readonly { started: Date }[]): string[] =>
  backups.map(({ started }) => started.toISOString().slice(0, 10))

test('findExpiredBackups retains seven days, four weeks and twelve months of a year of nights', () => {
  const backups = createNightlyBackups(400)
  const expired = new Set(findExpiredBackups(backups))
  expect(listDays(backups.filter((backup) => !expired.has(backup)))).toEqual([
    // Days; the newest is that of its week and month too.
    '2026-11-26',
    '2026-11-25',
    '2026-11-24',
    '2026-11-23',
    '2026-11-22',
    '2026-11-21',
    '2026-11-20',
    // Weeks end on Sunday.
    '2026-11-15',
    '2026-11-08',
    '2026-10-31',
    '2026-09-30',
    '2026-08-31',
    '2026-07-31',
    '2026-06-30',
    '2026-05-31',
    '2026-04-30',
    '2026-03-31',
    '2026-02-28',
    '2026-01-31',
    '2025-12-31',
  ])
})

test('findExpiredBackups retains the same backups if it runs every night', () => {
  let stored: ReturnType<typeof createNightlyBackups> = []
  for (const backup of createNightlyBackups(400).toReversed()) {
    stored.push(backup)
    const expired = new Set(findExpiredBackups(stored))
    stored = stored.filter((backup) => !expired.has(backup))
  }
  expect(stored.length).toBeGreaterThanOrEqual(18)
  expect(stored.length).toBeLessThanOrEqual(23)
  expect(listDays(stored)).toContain('2025-12-31')
})

test('findExpiredBackups never removes the newest and the newest verified backup', () => {
  const backups = [
    { ...createBackup(last - 1000 * dayMs), isVerified: true },
    { ...createBackup(last - 1001 * dayMs), isVerified: true },
    ...createNightlyBackups(3).map((backup) => ({
      ...backup,
      started: new Date(backup.started.getTime() - 2000 * dayMs),
    })),
  ]
  const none = { daily: 0, weekly: 0, monthly: 0 }
  const retained = backups.filter((backup) => !findExpiredBackups(backups, none).includes(backup))
  expect(retained).toEqual([backups[0]])
  const unverified = createNightlyBackups(3)
  expect(unverified.filter((backup) => !findExpiredBackups(unverified, none).includes(backup))).toEqual([
    unverified[0],
  ])
})

test('findExpiredBackups retains increments of a day with their base, and full backups only of the days before', () => {
  const hourMs = 3_600_000
  const createIncrements = (daysAgo: number) =>
    Array.from({ length: 23 }, (_, hour) =>
      createBackup(last - daysAgo * dayMs + (hour + 1) * hourMs, last - daysAgo * dayMs),
    )
  const backups = [
    ...createNightlyBackups(3),
    ...createIncrements(0),
    ...createIncrements(1),
    ...createIncrements(2),
  ]
  const expired = new Set(findExpiredBackups(backups))
  const retained = backups.filter((backup) => !expired.has(backup))
  expect(retained).toEqual([...createNightlyBackups(3), ...createIncrements(0)])
  // After a night without a full backup, the increments of the last hours still have their base.
  const none = { daily: 0, weekly: 0, monthly: 0 }
  const later = [createBackup(last), createBackup(last + 30 * hourMs, last)]
  expect(findExpiredBackups(later, none)).toEqual([])
})

test('A name of a backup says when it started, and on which one it is based', () => {
  const [full, increment] = [createBackup(last), createBackup(last + 1000, last)]
  expect([full.name, increment.name]).toEqual([
    'publicway-20261126T030000Z',
    'publicway-20261126T030001Z-on-20261126T030000Z',
  ])
  expect([parseBackupStart(increment.name), findBaseName(increment.name)]).toEqual([
    increment.started,
    full.name,
  ])
  expect([findBaseName(full.name), parseBackupStart('other')]).toEqual([null, null])
})

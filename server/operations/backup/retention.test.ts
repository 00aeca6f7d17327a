import { expect, it } from 'vitest'
import { expiredBackups } from './retention.ts'

const dayMs = 86_400_000
const last = Date.UTC(2026, 10, 26, 3)
const nightly = (days: number) =>
  Array.from({ length: days }, (_, at) => ({ started: new Date(last - at * dayMs), isVerified: false }))
const daysOf = (backups: readonly { started: Date }[]): string[] =>
  backups.map(({ started }) => started.toISOString().slice(0, 10))

it('retains seven days, four weeks and twelve months of a year of nights', () => {
  const backups = nightly(400)
  const expired = new Set(expiredBackups(backups))
  expect(daysOf(backups.filter((backup) => !expired.has(backup)))).toEqual([
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

it('ends in the same backups when it runs every night', () => {
  let stored: { started: Date; isVerified: boolean }[] = []
  for (const backup of nightly(400).toReversed()) {
    stored.push(backup)
    const expired = new Set(expiredBackups(stored))
    stored = stored.filter((each) => !expired.has(each))
  }
  expect(stored.length).toBeGreaterThanOrEqual(18)
  expect(stored.length).toBeLessThanOrEqual(23)
  expect(daysOf(stored)).toContain('2025-12-31')
})

it('never removes the newest and the newest verified backup', () => {
  const backups = [
    { started: new Date(last - 1000 * dayMs), isVerified: true },
    { started: new Date(last - 1001 * dayMs), isVerified: true },
    ...nightly(3).map((each) => ({ ...each, started: new Date(each.started.getTime() - 2000 * dayMs) })),
  ]
  const none = { daily: 0, weekly: 0, monthly: 0 }
  const retained = backups.filter((backup) => !expiredBackups(backups, none).includes(backup))
  expect(retained).toEqual([backups[0]])
  const unverified = nightly(3)
  expect(unverified.filter((backup) => !expiredBackups(unverified, none).includes(backup))).toEqual([
    unverified[0],
  ])
})

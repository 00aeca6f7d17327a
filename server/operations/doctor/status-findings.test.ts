import { expect, test } from 'vitest'
import type { Backup, ServerStatus } from '#contract/server-status.ts'
import { checkClock, checkNode, checkTimeZones } from './machine-checks.ts'
import { checkNewestBackup, checkMigrationPlan, checkStatus } from './status-findings.ts'

const at = new Date('2026-11-26T12:00:00Z')
const backup: Backup = {
  name: 'publicway-20261126T030000Z',
  started: '2026-11-26T03:00:00.000Z',
  ended: '2026-11-26T03:01:00.000Z',
  bytes: 1,
  rows: 1,
  is_encrypted: false,
  app_version: '0.1.0',
  verified: null,
  verify_problem: null,
}
const createBackups = (items: Backup[], hour: number | null = 3): Pick<ServerStatus, 'backups'> => ({
  backups: { scheduled_hour: hour, is_encrypted: false, last_problem: null, items },
})
const status: ServerStatus = {
  status: 'ready',
  version: '0.1.0',
  node_version: 'v20.20.2',
  started: at.toISOString(),
  memory_bytes: 1e9,
  time_zone_data: '2025c',
  stores: [],
  volumes: [],
  feeds: [],
  ...createBackups([backup]),
}
const createFeed = (
  name: string,
  overrides: Partial<ServerStatus['feeds'][number]>,
): ServerStatus['feeds'][number] => ({
  feed_id: name,
  region_id: 'alder',
  operator: 'zephyr',
  name,
  kind: 'gbfs',
  last_success: at.toISOString(),
  newest_record: null,
  problem: null,
  ...overrides,
})

test('The doctor warns about missing and old backups, and fails if one cannot be restored', () => {
  const checkBackups = (items: Backup[], hour?: number | null) => {
    const { result, detail } = checkNewestBackup(createBackups(items, hour), at)
    return [result, detail]
  }
  expect(checkBackups([backup])).toEqual(['ok', 'the newest is 9 h old and was not checked yet'])
  expect(checkBackups([])).toEqual(['warning', 'there is none yet'])
  expect(checkBackups([], null)).toEqual(['warning', 'there is none: set BACKUP_HOUR'])
  expect(checkBackups([{ ...backup, ended: '2026-11-25T09:59:00.000Z' }])[0]).toBe('warning')
  expect(checkBackups([{ ...backup, verify_problem: 'a checksum differs' }])).toEqual([
    'failed',
    'a checksum differs',
  ])
})

test('The doctor names failing and silent feeds, and stores that do not work', () => {
  const findings = checkStatus(
    {
      ...status,
      status: 'draining',
      stores: [
        {
          store: 'facts',
          is_embedded: true,
          version: '26.7',
          migrations: 6,
          pending: ['007-next'],
          bytes: 5e6,
          ok: false,
          problem: null,
        },
      ],
      feeds: [
        createFeed('good', {}),
        createFeed('silent', { last_success: '2026-11-25T11:00:00.000Z' }),
        createFeed('broken', { problem: 'answered 503' }),
        createFeed('new', { last_success: null }),
      ],
    },
    at,
  )
  expect(findings.map(({ check, result }) => [check, result])).toEqual([
    ['server', 'failed'],
    ['store: facts', 'failed'],
    ['feeds', 'warning'],
    ['backups', 'ok'],
  ])
  expect(findings[1]?.detail).toBe('missing migrations: 007-next')
  expect(findings[2]?.detail).toBe('2 of 4 work; silent of alder: silent; broken of alder: answered 503')
})

test('The doctor finds data that this version cannot open', () => {
  const plan = { done: ['900-future'], pending: [], unknown: ['900-future'] }
  const findings = checkMigrationPlan(
    { state: { ...plan, done: ['001-schema'] }, facts: { done: [], pending: [], unknown: [] } },
    { state: 'PostgreSQL 18.3', facts: 'ClickHouse 26.7' },
  )
  expect(findings.at(-1)).toMatchObject({ check: 'migrations', result: 'failed' })
  expect(findings[1]).toMatchObject({ detail: 'ClickHouse 26.7, empty' })
})

test('The doctor checks versions of Node, the clock and the rules of time zones', () => {
  expect(['v20.20.2', 'v22.1.0', 'v20.18.0', 'v18.20.0'].map((version) => checkNode(version).result)).toEqual(
    ['ok', 'ok', 'failed', 'failed'],
  )
  expect(checkClock(new Date('2019-01-01')).result).toBe('failed')
  expect(checkClock(at).result).toBe('ok')
  expect(checkTimeZones()).toMatchObject({ result: 'ok', detail: expect.stringMatching(/^data 20\d\d/) })
})

import type { Feed, PullWindow } from '#contract/feeds.ts'
import type { ManagedOperator } from '#contract/managed-operators.ts'
import { dataColors } from '#web/kit/theme.ts'

/** A feed for tests. */
export const createTestFeed = (some: Partial<Feed> = {}): Feed => ({
  feedId: 'f1',
  regionId: 'port-meridian',
  operator: 'swift',
  kind: 'mds_provider',
  version: '2.0',
  name: 'Swift provider',
  url: 'https://mds.swift.example/2',
  auth: { kind: 'bearer', hasToken: true },
  settings: { backfillHours: 24 },
  intervalSeconds: 60,
  promisedMinutes: 120,
  enabled: true,
  createdTime: '2026-05-01T00:00:00Z',
  lastAttemptTime: '2026-05-01T12:00:00Z',
  lastSuccessTime: '2026-05-01T11:59:00Z',
  lastRecordTime: '2026-05-01T11:58:00Z',
  nextTime: '2026-05-01T12:01:00Z',
  problem: null,
  problemSince: null,
  pullWindows: { wanted: 2, waiting: 0, done: 30, nothing: 0, failed: 1 },
  ...some,
})

export const testPullWindow = (
  windowStart: string,
  status: PullWindow['status'] = 'done',
  stream = 'events',
): PullWindow => ({
  stream,
  windowStart,
  status,
  tries: 0,
  nextTime: null,
  records: 12,
  problem: status === 'failed' ? 'It broke.' : null,
  doneTime: null,
})

export const testOperator = (some: Partial<ManagedOperator> = {}): ManagedOperator => ({
  slug: 'swift',
  name: 'Swift',
  colorHex: dataColors.light.categorical[0] ?? '',
  providerId: null,
  isNamed: true,
  feeds: 1,
  hasTrips: true,
  ...some,
})

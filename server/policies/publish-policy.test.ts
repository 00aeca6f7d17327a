import { expect, test } from 'vitest'
import { noticeMs } from '#contract/policy.ts'
import { getEffectivePeriod } from './to-mds-policy.ts'

const published = new Date('2026-03-01T12:00:00Z')
const iso = ({ start, end }: { start: number; end: number | null }) => [
  new Date(start).toISOString(),
  end === null ? null : new Date(end).toISOString(),
]
const period = (start_date: string | null, end_date: string | null, zone = 'America/New_York') =>
  iso(getEffectivePeriod({ start_date, end_date }, published, zone))

test('A published policy is in force from local midnight of its first day to the end of its last', () =>
  expect(period('2026-03-05', '2026-03-06')).toEqual([
    '2026-03-05T05:00:00.000Z',
    '2026-03-07T05:00:00.000Z',
  ]))
test('A published policy follows the local time zone', () =>
  expect(period('2026-03-05', '2026-03-08')).toEqual([
    '2026-03-05T05:00:00.000Z',
    '2026-03-09T04:00:00.000Z',
  ]))
test('A published policy gives twenty minutes of notice', () => {
  expect(noticeMs).toBe(1_200_000)
  expect(period(null, null)).toEqual(['2026-03-01T12:20:00.000Z', null])
  expect(period('2026-01-01', null)).toEqual(['2026-03-01T12:20:00.000Z', null])
})
test('A published policy never ends before it begins', () =>
  expect(period(null, '2026-03-01', 'Pacific/Kiritimati')).toEqual([
    '2026-03-01T12:20:00.000Z',
    '2026-03-01T12:20:00.000Z',
  ]))

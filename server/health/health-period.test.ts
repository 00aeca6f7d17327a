import { expect, test } from 'vitest'
import { readHealthPeriod } from './health-period.ts'

const at = Date.parse('2026-03-10T03:00:00Z')
const zone = 'America/New_York'

test('The health period is the last seven local days by default', () => {
  expect(readHealthPeriod({}, zone, at)).toEqual({
    start: '2026-03-03',
    end: '2026-03-09',
    today: '2026-03-09',
    days: ['2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09'],
  })
  expect(readHealthPeriod({ end_date: '2026-02-10' }, zone, at)).toMatchObject({
    start: '2026-02-04',
    end: '2026-02-10',
  })
  expect(readHealthPeriod({ start_date: '2026-03-08' }, zone, at).days).toEqual(['2026-03-08', '2026-03-09'])
})

test('readHealthPeriod excludes days that have not begun', () => {
  expect(readHealthPeriod({ start_date: '2026-03-09', end_date: '2026-03-20' }, zone, at).days).toEqual([
    '2026-03-09',
  ])
  expect(readHealthPeriod({ start_date: '2026-04-01' }, zone, at).days).toEqual([])
})

test('readHealthPeriod rejects periods that are empty or too long', () => {
  expect(() => readHealthPeriod({ start_date: '2026-03-09', end_date: '2026-03-08' }, zone, at)).toThrow(
    'end_date: The end is before the start.',
  )
  expect(() => readHealthPeriod({ start_date: '2026-01-01', end_date: '2026-02-01' }, zone, at)).toThrow(
    'Maximum date range is 31 days',
  )
  expect(readHealthPeriod({ start_date: '2026-01-01', end_date: '2026-01-31' }, zone, at).days).toHaveLength(
    31,
  )
})

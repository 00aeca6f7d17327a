import { expect, test } from 'vitest'
import { toDayStart } from './issue-conditions.ts'

test('A local day begins at its midnight', () => {
  expect(toDayStart('2026-03-08', 'America/New_York').toISOString()).toBe('2026-03-08T05:00:00.000Z')
  expect(toDayStart('2026-03-08', 'America/New_York', 1).toISOString()).toBe('2026-03-09T04:00:00.000Z')
})

test('Days beyond all issues are valid timestamps of the store', () => {
  for (const timezone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
    expect(toDayStart('0000-01-01', timezone).toISOString()).toMatch(/^(1699-12-31|1700-01-01)/)
    expect(toDayStart('9999-12-31', timezone, 1).toISOString()).toMatch(/^(2299-12-30|2299-12-31)/)
  }
})

import { expect, test } from 'vitest'
import { isCadenceDue } from './digest.ts'

const timezone = 'America/New_York'
const daily = { cadence: 'daily', digest_day: '2026-03-07', timezone }

test('Immediate mails are always due', () => {
  expect(isCadenceDue({ ...daily, cadence: 'immediate' }, new Date('2026-03-07T08:00:00Z'))).toBe(true)
})

test('Daily mails are due once a day, after seven in the morning local time', () => {
  // The clock is put forward on March 8, so seven is an hour earlier.
  expect(isCadenceDue({ ...daily, digest_day: null }, new Date('2026-03-07T11:59:59Z'))).toBe(false)
  expect(isCadenceDue({ ...daily, digest_day: null }, new Date('2026-03-07T12:00:00Z'))).toBe(true)
  expect(isCadenceDue(daily, new Date('2026-03-07T12:00:00Z'))).toBe(false)
  expect([
    isCadenceDue(daily, new Date('2026-03-08T10:59:59Z')),
    isCadenceDue(daily, new Date('2026-03-08T11:00:00Z')),
  ]).toEqual([false, true])
})

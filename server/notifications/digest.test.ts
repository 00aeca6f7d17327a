import { expect, it } from 'vitest'
import { isCadenceDue } from './digest.ts'

const timezone = 'America/New_York'
const daily = { cadence: 'daily', digest_day: '2026-03-07', timezone }

it('a mail at once is always due', () => {
  expect(isCadenceDue({ ...daily, cadence: 'immediate' }, new Date('2026-03-07T08:00:00Z'))).toBe(true)
})

it('the mail of the day is due from seven in the morning by the region’s clock, once', () => {
  // On the 8th clocks go forward: seven is an hour sooner.
  expect(isCadenceDue({ ...daily, digest_day: null }, new Date('2026-03-07T11:59:59Z'))).toBe(false)
  expect(isCadenceDue({ ...daily, digest_day: null }, new Date('2026-03-07T12:00:00Z'))).toBe(true)
  expect(isCadenceDue(daily, new Date('2026-03-07T12:00:00Z'))).toBe(false)
  expect([
    isCadenceDue(daily, new Date('2026-03-08T10:59:59Z')),
    isCadenceDue(daily, new Date('2026-03-08T11:00:00Z')),
  ]).toEqual([false, true])
})

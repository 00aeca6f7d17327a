import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadRoomTexts, startI18n } from '#web/i18n/start-i18n.ts'
import { getPublicStatus, formatEffectivePeriod } from './public-status.ts'

beforeAll(async () => {
  await startI18n()
  await loadRoomTexts()
})

const at = Date.parse('2026-11-23T01:00:00Z')
const makePolicy = (from: string, until: string | null = null) => ({
  effective_from: from,
  effective_until: until,
})
const formatPeriod = (from: string, until: string | null = null) =>
  formatEffectivePeriod(makePolicy(from, until), at, {
    t: i18next.t,
    language: 'en-US',
    timezone: 'America/New_York',
  })

it.each([
  ['2026-11-23T01:00:00Z', null, 'inForce'],
  ['2026-11-23T01:00:01Z', null, 'coming'],
  ['2026-11-01T00:00:00Z', '2026-11-23T01:00:00Z', 'ended'],
  ['2026-11-01T00:00:00Z', '2026-11-23T01:00:01Z', 'inForce'],
])('from %s until %s it is %s', (from, until, status) => {
  expect(getPublicStatus(makePolicy(from, until), at)).toBe(status)
})

describe('the time when a policy is in force', () => {
  it("the time when a policy is in force is shown in days of the region, the last one inclusive, whatever the browser's time zone", () => {
    expect(formatPeriod('2026-11-02T02:00:00Z')).toBe('Since Nov 1, 2026')
    expect(formatPeriod('2026-11-02T05:00:00Z', '2026-12-01T05:00:00Z')).toBe(
      'Nov 2, 2026 until Nov 30, 2026',
    )
    expect(formatPeriod('2026-11-02T05:00:00Z', '2026-11-21T05:00:00Z')).toBe('Until Nov 20, 2026')
    expect(formatPeriod('2026-12-02T05:00:00Z')).toBe('Starts Dec 2, 2026')
  })
  it('the time when a policy is in force has a time of day if the policy begins today', () =>
    expect(formatPeriod('2026-11-23T01:20:00Z').replace(/\s/g, ' ')).toBe('Starts Nov 22, 2026, 8:20 PM'))
})

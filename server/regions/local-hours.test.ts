import { describe, expect, it, test } from 'vitest'
import { getDayEnd, getDayStart, getHourEnds } from './local-hours.ts'

const iso = (time: number | null | undefined): string | null =>
  time == null ? null : new Date(time).toISOString()
const hour = 3_600_000

describe('hours of local days', () => {
  it('end one hour after the other', () => {
    const ends = getHourEnds('2026-05-04', 'America/New_York')
    expect([iso(ends[0]), iso(ends[23])]).toEqual(['2026-05-04T05:00:00.000Z', '2026-05-05T04:00:00.000Z'])
    expect(ends.slice(1).every((end, index) => end === (ends[index] ?? 0) + hour)).toBe(true)
  })

  it('are null if the clock skips them, and merged if the clock repeats them', () => {
    const spring = getHourEnds('2026-03-08', 'America/New_York')
    expect([iso(spring[1]), spring[2], iso(spring[3])]).toEqual([
      '2026-03-08T07:00:00.000Z',
      null,
      '2026-03-08T08:00:00.000Z',
    ])
    const autumn = getHourEnds('2026-11-01', 'America/New_York')
    expect([iso(autumn[0]), iso(autumn[1]), iso(autumn[2])]).toEqual([
      '2026-11-01T05:00:00.000Z',
      '2026-11-01T07:00:00.000Z',
      '2026-11-01T08:00:00.000Z',
    ])
  })

  it('support clock changes by half an hour', () => {
    expect(getHourEnds('2026-10-04', 'Australia/Lord_Howe').filter((end) => end === null)).toEqual([])
  })
})

test('Days start at local midnight, even those of 23 hours', () => {
  expect([
    iso(getDayStart('2026-03-08', 'America/New_York')),
    iso(getDayStart('2026-03-09', 'America/New_York')),
  ]).toEqual(['2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'])
  const twoDaysMs =
    getDayEnd('2026-03-09', 'America/New_York') - getDayStart('2026-03-08', 'America/New_York')
  expect(twoDaysMs).toBe(47 * hour)
})

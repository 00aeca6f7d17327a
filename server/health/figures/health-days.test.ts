import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { addDays } from '#contract/period.ts'
import { judgeDay, listJudgedHours, countVolume } from './health-days.ts'
import {
  compareWithUsual,
  type HourTable,
  computeMedian,
  findUsualDays,
  usuallyHasRecords,
} from './usual-counts.ts'

const day = '2026-03-18'
const hours = (countByHour: Record<number, number>): number[] =>
  Array.from({ length: 24 }, (_, hour) => countByHour[hour] ?? 0)
const weeks = (counts: readonly (Record<number, number> | null)[]): HourTable =>
  new Map(counts.flatMap((some, week) => (some ? [[addDays(day, -7 * week), hours(some)] as const] : [])))
const noonUtc = Date.parse(`${day}T12:00:00Z`)
const judging = { timezone: 'UTC', at: noonUtc, promisedMinutes: 60 }

test('The median is the middle value, or the mean of the two in the middle', () => {
  expect([computeMedian([]), computeMedian([3]), computeMedian([5, 1]), computeMedian([9, 1, 5])]).toEqual([
    null,
    3,
    3,
    5,
  ])
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
      const median = computeMedian(values) ?? NaN
      expect(values.filter((value) => value < median).length * 2).toBeLessThanOrEqual(values.length)
      expect(values.filter((value) => value > median).length * 2).toBeLessThanOrEqual(values.length)
    }),
  )
})

describe('the usual number of records', () => {
  it('is the median of the same weekday in the last eight weeks with data', () => {
    const table = weeks([{ 8: 5 }, { 8: 10 }, { 8: 20 }, null, { 8: 40 }])
    expect(findUsualDays(table, day)).toEqual([-7, -14, -21, -28].map((days) => addDays(day, days)))
    // The third week had no records and counts as zero: 0, 10, 20, 40.
    expect(compareWithUsual(table, day, [8])).toEqual({ count: 5, usual: 15 })
  })
  it('ignores days more than eight weeks ago', () => {
    const table = weeks([{}, ...Array.from({ length: 8 }, () => ({ 8: 1 })), { 8: 1000 }, { 8: 1000 }])
    expect(compareWithUsual(table, day, [8]).usual).toBe(1)
  })
  it('is unknown after a single week', () => {
    expect(findUsualDays(weeks([{ 8: 1 }, { 8: 1 }]), day)).toBeNull()
    expect(compareWithUsual(weeks([{ 8: 1 }, { 8: 1 }]), day, [8]).usual).toBeNull()
    expect(usuallyHasRecords(weeks([{ 8: 1 }, { 8: 1 }]), day, 8)).toBe(false)
  })
  it('is positive for an hour if at least half of the weeks have records in it', () => {
    expect(usuallyHasRecords(weeks([{}, { 8: 1 }, { 9: 1 }]), day, 8)).toBe(true)
    expect(usuallyHasRecords(weeks([{}, { 8: 1 }, { 9: 1 }, { 9: 1 }]), day, 8)).toBe(false)
  })
})

describe('a day by hour', () => {
  const table = weeks([
    { 7: 3, 11: 1 },
    { 7: 2, 8: 2, 10: 2, 20: 2 },
    { 7: 4, 8: 4, 10: 4, 20: 4 },
  ])
  const result = judgeDay(table, day, judging)
  it('contains hours with data, gaps, quiet hours and pending ones', () => {
    // Records of 10:00 to 11:00 were due by noon. 11:00 to 12:00 has some; later hours are pending.
    expect([
      result.states[7],
      result.states[8],
      result.states[9],
      result.states[10],
      result.states[11],
      result.states[12],
      result.states[20],
    ]).toEqual(['data', 'gap', 'quiet', 'gap', 'data', 'ahead', 'ahead'])
    expect(judgeDay(table, day, { ...judging, promisedMinutes: 61 }).states[10]).toBe('ahead')
  })
  it('is compared with the usual number of the past hours', () => {
    expect([result.count, result.usual]).toEqual([4, 9])
    expect(countVolume(table, day, judging)).toEqual({ count: 4, usual: 9 })
    expect(countVolume(table, day, { ...judging, at: noonUtc + 12 * 3_600_000 })).toEqual({
      count: 4,
      usual: 12,
    })
    expect(countVolume(weeks([{ 7: 3 }]), day, judging)).toBeNull()
  })
  it('has the state none for an hour that the clock skips', () => {
    const spring = judgeDay(new Map(), '2026-03-08', {
      timezone: 'America/New_York',
      at: noonUtc,
      promisedMinutes: 0,
    })
    expect(
      spring.states.map((state, hour) => (state === 'none' ? hour : -1)).filter((hour) => hour >= 0),
    ).toEqual([2])
  })
  it('lists judged hours, newest first', () => {
    expect(listJudgedHours([result]).slice(0, 3)).toEqual([
      { day, hour: 11, state: 'data' },
      { day, hour: 10, state: 'gap' },
      { day, hour: 9, state: 'quiet' },
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { readQueryTime, listBuckets, computeSpans, type TimeFilters } from './query-time.ts'

const hour = 3_600_000
const later = Date.UTC(2030, 0, 1)
const filters = (
  start_date: string,
  end_date: string,
  overrides: Partial<TimeFilters> = {},
): TimeFilters => ({ start_date, end_date, days: [], hour_filters: [0, 23], ...overrides })
const listHours = (
  question: TimeFilters,
  zone: string,
  bucket: 'hour_of_day' | 'day' | null = null,
  now = later,
) =>
  Object.fromEntries(
    [...computeSpans(question, readQueryTime(question, zone), bucket, now)].map(([key, { ms }]) => [
      key,
      ms / hour,
    ]),
  )

describe('readQueryTime', () => {
  it('ranges from midnight to midnight in the zone', () => {
    const { from, until, isUnfiltered } = readQueryTime(
      filters('2026-03-08', '2026-03-08'),
      'America/New_York',
    )
    expect([from, until, isUnfiltered]).toEqual([Date.UTC(2026, 2, 8, 5), Date.UTC(2026, 2, 9, 4), true])
    expect(
      readQueryTime(filters('2026-03-08', '2026-03-08', { days: [1, 2, 3, 4, 5, 6, 7] }), 'UTC').isUnfiltered,
    ).toBe(true)
    expect(
      readQueryTime(filters('2026-03-08', '2026-03-08', { hour_filters: [0, 22] }), 'UTC').isUnfiltered,
    ).toBe(false)
    expect(
      readQueryTime(filters('2026-03-08', '2026-03-08', { hour_filters: [6, 5] }), 'UTC').isUnfiltered,
    ).toBe(true)
  })

  it.each([
    ['America/New_York', hour, 0],
    ['Asia/Kolkata', hour, hour / 2],
    ['Asia/Kathmandu', hour, (3 * hour) / 4],
    ['Australia/Lord_Howe', hour / 2, 0],
  ])('aligns the slices of %s with its hours', (zone, lengthMs, shiftMs) =>
    expect(readQueryTime(filters('2026-01-01', '2026-01-01'), zone).slices).toEqual({ lengthMs, shiftMs }),
  )
})

describe('computeSpans', () => {
  it('handles days of 23, 24 and 25 hours, and a half-hour shift', () => {
    expect(listHours(filters('2026-03-07', '2026-03-09'), 'America/New_York', 'day')).toEqual({
      '2026-03-07': 24,
      '2026-03-08': 23,
      '2026-03-09': 24,
    })
    expect(listHours(filters('2026-11-01', '2026-11-01'), 'America/New_York')).toEqual({ '': 25 })
    expect(listHours(filters('2026-04-05', '2026-04-05'), 'Australia/Lord_Howe', 'day')).toEqual({
      '2026-04-05': 24.5,
    })
  })

  it('counts a skipped hour as zero and a repeated one twice', () => {
    expect(
      listHours(
        filters('2026-03-08', '2026-03-08', { hour_filters: [1, 3] }),
        'America/New_York',
        'hour_of_day',
      ),
    ).toEqual({ 1: 1, 2: 0, 3: 1 })
    expect(
      listHours(
        filters('2026-11-01', '2026-11-01', { hour_filters: [0, 2] }),
        'America/New_York',
        'hour_of_day',
      ),
    ).toEqual({ 0: 1, 1: 2, 2: 1 })
  })

  it('excludes filtered weekdays and hours', () => {
    const question = filters('2026-03-02', '2026-03-15', { days: [6, 7], hour_filters: [22, 23] })
    expect(listHours(question, 'UTC', 'day')).toEqual({
      '2026-03-07': 2,
      '2026-03-08': 2,
      '2026-03-14': 2,
      '2026-03-15': 2,
    })
    expect(computeSpans(question, readQueryTime(question, 'UTC'), 'hour_of_day', later)).toEqual(
      new Map([
        ['22', { days: 4, ms: 4 * hour }],
        ['23', { days: 4, ms: 4 * hour }],
      ]),
    )
    expect(computeSpans(question, readQueryTime(question, 'UTC'), null, later)).toEqual(
      new Map([['', { days: 4, ms: 8 * hour }]]),
    )
  })

  it('counts all days but only elapsed time', () => {
    const question = filters('2026-03-02', '2026-03-04')
    const now = Date.UTC(2026, 2, 3, 6, 30)
    expect(computeSpans(question, readQueryTime(question, 'UTC'), null, now)).toEqual(
      new Map([['', { days: 3, ms: 30.5 * hour }]]),
    )
    expect(listHours(question, 'UTC', 'day', now)).toEqual({
      '2026-03-02': 24,
      '2026-03-03': 6.5,
      '2026-03-04': 0,
    })
    expect(listHours(question, 'UTC', null, Date.UTC(2026, 1, 1))).toEqual({ '': 0 })
  })

  it('clamps days to the range of the store', () => {
    const { from, until } = readQueryTime(filters('0001-01-01', '9999-12-31'), 'UTC')
    expect([from, new Date(until).getUTCFullYear()]).toEqual([86_400_000, 2149])
  })
})

describe('listBuckets', () => {
  it('returns every hour, or every day', () => {
    expect(
      listBuckets(filters('2026-03-02', '2026-03-02', { hour_filters: [3, 3] }), 'hour_of_day'),
    ).toHaveLength(24)
    expect(listBuckets(filters('2026-02-27', '2026-03-01', { days: [1] }), 'day')).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ])
  })
})

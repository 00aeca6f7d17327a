import { describe, expect, it } from 'vitest'
import { addComparedPeriod, type DueDates, findNextDue, getReportPeriod } from './due-dates.ts'

const timezone = 'America/New_York'
const dates = (dates: DueDates, from: string, count: number): string[] => {
  const found: string[] = []
  for (let at = Date.parse(from); found.length < count;) {
    at = findNextDue(dates, at)
    found.push(new Date(at).toISOString())
  }
  return found
}

describe('due dates', () => {
  it('are at seven in the morning of the region, across both clock changes', () => {
    expect(dates({ cadence: 'weekly', day: 7, timezone }, '2026-02-28T00:00:00Z', 3)).toEqual([
      '2026-03-01T12:00:00.000Z',
      '2026-03-08T11:00:00.000Z',
      '2026-03-15T11:00:00.000Z',
    ])
    expect(dates({ cadence: 'weekly', day: 7, timezone }, '2026-10-25T12:00:00Z', 2)).toEqual([
      '2026-11-01T12:00:00.000Z',
      '2026-11-08T12:00:00.000Z',
    ])
  })
  it('of the 31st are on the last day of shorter months', () =>
    expect(dates({ cadence: 'monthly', day: 31, timezone: 'UTC' }, '2028-01-31T07:00:00Z', 4)).toEqual([
      '2028-02-29T07:00:00.000Z',
      '2028-03-31T07:00:00.000Z',
      '2028-04-30T07:00:00.000Z',
      '2028-05-31T07:00:00.000Z',
    ]))
  it('are after the given instant, also within the day', () => {
    const monday: DueDates = { cadence: 'weekly', day: 1, timezone: 'UTC' }
    expect(dates(monday, '2026-03-02T06:59:59.999Z', 1)).toEqual(['2026-03-02T07:00:00.000Z'])
    expect(dates(monday, '2026-03-02T07:00:00Z', 1)).toEqual(['2026-03-09T07:00:00.000Z'])
  })
})

describe('periods', () => {
  it('are the previous seven days or the previous month in the region', () => {
    expect(
      getReportPeriod({ cadence: 'weekly', day: 1, timezone }, Date.parse('2026-03-09T11:00:00Z')),
    ).toEqual({
      start_date: '2026-03-02',
      end_date: '2026-03-08',
      compare_start_date: '2026-02-23',
      compare_end_date: '2026-03-01',
    })
    expect(
      getReportPeriod({ cadence: 'monthly', day: 31, timezone }, Date.parse('2026-03-31T11:00:00Z')),
    ).toEqual({
      start_date: '2026-02-01',
      end_date: '2026-02-28',
      compare_start_date: '2026-01-01',
      compare_end_date: '2026-01-31',
    })
    // Still the 1st in New York.
    expect(
      getReportPeriod({ cadence: 'monthly', day: 1, timezone }, Date.parse('2026-01-02T04:00:00Z')).end_date,
    ).toBe('2025-12-31')
  })
  it('of a stored run are the same', () => {
    for (const cadence of ['weekly', 'monthly'] as const) {
      const period = getReportPeriod({ cadence, day: 1, timezone }, Date.parse('2026-06-01T11:00:00Z'))
      expect(addComparedPeriod(cadence, period.start_date, period.end_date)).toEqual(period)
    }
  })
})

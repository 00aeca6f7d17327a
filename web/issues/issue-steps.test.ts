import { describe, expect, it } from 'vitest'
import { IssueSteps } from './issue-steps.ts'
import { testPoints } from './test-issues.ts'

const steps = new IssueSteps(testPoints, { start_date: '2026-02-27', end_date: '2026-03-02' })
const shown = (bucket: number) => steps.points(bucket)

describe('points day by day', () => {
  it('have every day of the period, with the total of each day', () => {
    expect(steps.buckets).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
    expect(steps.totals).toEqual([0, 2, 2, 0])
    expect(steps.totals.reduce((sum, count) => sum + count, 0)).toBe(testPoints.total)
    expect(steps.resultAt(2)).toEqual({ total: 2, unit: 'events' })
    expect(steps.resultAt(9).total).toBeNull()
  })

  it('have the points of the day, and counts by type and status; types retain their indexes', () => {
    expect([shown(2).id, shown(2).lon, shown(2).total, shown(2).placed]).toEqual([
      ['SR-1', 'SR/2'],
      [-75, -75],
      2,
      2,
    ])
    expect(shown(2).types.map(({ service_code, open, closed }) => [service_code, open, closed])).toEqual([
      ['scooter', 0, 1],
      ['pothole', 1, 0],
    ])
    expect([shown(1).id, shown(1).total, shown(1).placed]).toEqual([['SR-3'], 2, 1])
    expect(shown(1).types.map(({ open, closed }) => [open, closed])).toEqual([
      [1, 0],
      [0, 0],
    ])
    expect(shown(0)).toMatchObject({ id: [], total: 0, placed: 0 })
  })

  it('are the same object for the same day, and do not modify the original points', () => {
    expect(shown(1)).toBe(shown(1))
    expect(shown(2).types).not.toBe(testPoints.types)
    expect(testPoints.types[0]).toMatchObject({ open: 1, closed: 2 })
  })

  it('are empty for more days than an axis allows', () =>
    expect(new IssueSteps(testPoints, { start_date: '0001-01-01', end_date: '9999-12-31' }).buckets).toEqual(
      [],
    ))
})

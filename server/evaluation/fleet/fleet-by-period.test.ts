import { describe, expect, it } from 'vitest'
import { splitIntoPeriods } from './fleet-by-period.ts'

describe('splitIntoPeriods', () => {
  it('splits into days', () =>
    expect(splitIntoPeriods('2026-02-27', '2026-03-01', 'day', 10)).toEqual([
      { start: '2026-02-27', end: '2026-02-27' },
      { start: '2026-02-28', end: '2026-02-28' },
      { start: '2026-03-01', end: '2026-03-01' },
    ]))
  it('splits into weeks from Monday, clipped to the first and last day', () =>
    expect(splitIntoPeriods('2026-03-06', '2026-03-17', 'week', 10)).toEqual([
      { start: '2026-03-06', end: '2026-03-08' },
      { start: '2026-03-09', end: '2026-03-15' },
      { start: '2026-03-16', end: '2026-03-17' },
    ]))
  it('splits into months across a change of year', () =>
    expect(splitIntoPeriods('2025-12-30', '2026-02-28', 'month', 10)).toEqual([
      { start: '2025-12-30', end: '2025-12-31' },
      { start: '2026-01-01', end: '2026-01-31' },
      { start: '2026-02-01', end: '2026-02-28' },
    ]))
  it('stops after one more than the maximum', () =>
    expect(splitIntoPeriods('0001-01-01', '9999-12-31', 'day', 5)).toHaveLength(6))
})

import { describe, expect, it } from 'vitest'
import { checkRange } from './check-range.ts'

const allChecks = { requireDates: true, rangeLimit: 31, minDate: '2026-01-01', maxDate: '2026-12-31' }

describe('checkRange', () => {
  it('accepts any range without rules', () => {
    expect(checkRange({ from: null, to: null }, {})).toEqual({})
    expect(checkRange({ from: '2026-01-01', to: '2026-12-31' }, {})).toEqual({})
    expect(checkRange({ from: '2026-01-01', to: '2026-01-31' }, allChecks)).toEqual({})
  })

  it('reports a required date that is missing, at each field', () => {
    expect(checkRange({ from: null, to: '2026-05-01' }, allChecks)).toEqual({ from: 'required' })
    expect(checkRange({ from: '2026-05-01', to: null }, allChecks)).toEqual({ to: 'required' })
    expect(checkRange({ from: null, to: null }, allChecks)).toEqual({ from: 'required', to: 'required' })
  })

  it('reports a start after the end, at the end', () =>
    expect(checkRange({ from: '2026-05-02', to: '2026-05-01' }, allChecks)).toEqual({ to: 'format' }))

  it('reports more days than the limit, both ends counted, at the end', () => {
    expect(checkRange({ from: '2026-05-01', to: '2026-05-31' }, allChecks)).toEqual({})
    expect(checkRange({ from: '2026-05-01', to: '2026-06-01' }, allChecks)).toEqual({ to: 'limit' })
    expect(checkRange({ from: '2026-05-01', to: '2026-05-01' }, { rangeLimit: 1 })).toEqual({})
    expect(checkRange({ from: '2026-05-01', to: null }, { rangeLimit: 1 })).toEqual({})
  })

  it('reports a date before the earliest, at its field', () => {
    expect(checkRange({ from: '2025-12-31', to: '2026-01-01' }, allChecks)).toEqual({ from: 'early' })
    expect(checkRange({ from: '2025-12-30', to: '2025-12-31' }, allChecks)).toEqual({
      from: 'early',
      to: 'early',
    })
    expect(checkRange({ from: null, to: '2025-12-31' }, { minDate: '2026-01-01' })).toEqual({ to: 'early' })
  })

  it('reports a date after the latest, at its field', () => {
    expect(checkRange({ from: '2026-12-31', to: '2027-01-01' }, allChecks)).toEqual({ to: 'late' })
    expect(checkRange({ from: '2027-01-01', to: '2027-01-02' }, allChecks)).toEqual({
      from: 'late',
      to: 'late',
    })
  })
})

describe('only the first failure is reported:', () => {
  it('missing before everything', () =>
    expect(checkRange({ from: null, to: '2030-01-01' }, allChecks)).toEqual({ from: 'required' }))
  it('reversed before the bounds', () =>
    expect(checkRange({ from: '2030-01-01', to: '2020-01-01' }, allChecks)).toEqual({ to: 'format' }))
  it('too long before the bounds', () =>
    expect(checkRange({ from: '2020-01-01', to: '2030-01-01' }, allChecks)).toEqual({ to: 'limit' }))
  it('too early before too late', () =>
    expect(checkRange({ from: '2020-01-01', to: '2030-01-01' }, { ...allChecks, rangeLimit: 5000 })).toEqual({
      from: 'early',
    }))
})

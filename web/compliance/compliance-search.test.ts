import { describe, expect, it } from 'vitest'
import { compliancePeriod, rememberDays } from './compliance-period.ts'
import { complianceSearch, detailSearch } from './compliance-search.ts'

describe('the address bar', () => {
  it('is read whatever it says', () => {
    expect(
      complianceSearch({
        startDate: '2026-11-10',
        endDate: '2026-11-01',
        text: 7,
        types: ['no_parking', 'x'],
        operators: 'glide',
        statuses: ['compliant', 'fine'],
        compare: true,
      }),
    ).toEqual({
      startDate: '2026-11-01',
      endDate: '2026-11-10',
      text: '7',
      types: ['no_parking'],
      operators: ['glide'],
      statuses: ['compliant'],
      compare: true,
    })
    expect(complianceSearch({ startDate: 'soon', types: 3, compare: 'yes' })).toEqual({})
    expect(
      detailSearch({
        date: '2026-11-20',
        operator: 'glide',
        shape: 'no-id',
        page: 1,
        report: true,
        uncertain: 1,
      }),
    ).toEqual({ date: '2026-11-20', operator: 'glide', report: true })
  })

  it('means the last seven days through today where it says nothing, and stays silent about them', () => {
    const usual = { start_date: '2026-11-15', end_date: '2026-11-22' }
    expect(compliancePeriod({}, '2026-11-22')).toEqual(usual)
    expect(rememberDays(usual, '2026-11-22')).toEqual({ startDate: undefined, endDate: undefined })
    expect(rememberDays(usual, '2026-11-23')).toEqual({ startDate: '2026-11-15', endDate: '2026-11-22' })
  })
})

import { describe, expect, it } from 'vitest'
import { complianceSearch, detailSearch } from './compliance-search.ts'

describe('the URL', () => {
  it('is parsed whatever it contains', () => {
    expect(
      complianceSearch({
        start_date: '2026-11-10',
        end_date: '2026-11-01',
        search: 7,
        types: ['no_parking', 'x'],
        operators: 'glide',
        statuses: ['compliant', 'fine'],
        compare: true,
      }),
    ).toEqual({
      start_date: '2026-11-01',
      end_date: '2026-11-10',
      search: '7',
      types: ['no_parking'],
      operators: ['glide'],
      statuses: ['compliant'],
      compare: true,
    })
    expect(complianceSearch({ start_date: 'soon', types: 3, compare: 'yes' })).toEqual({})
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
})

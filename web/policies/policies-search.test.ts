import { describe, expect, it } from 'vitest'
import { filterCount, policiesSearch } from './policies-search.ts'

describe('the library in the address bar', () => {
  it('reads filters, order and page', () => {
    const search = {
      text: ' wharf ',
      types: ['no_ride', 'no_parking'],
      statuses: ['saved'],
      operators: ['skip', 'glide'],
      vehicleTypes: ['moped'],
      sort: '-status',
      page: 2,
    }
    expect(policiesSearch(search)).toEqual({ ...search, text: 'wharf', operators: ['glide', 'skip'] })
    expect(filterCount(policiesSearch(search))).toBe(4)
  })

  it('leaves out what is usual and what makes no sense', () => {
    expect(
      policiesSearch({
        text: '',
        types: ['flying'],
        statuses: 'gone',
        operators: ['NOT A SLUG'],
        vehicleTypes: [],
        sort: 'policy_name',
        page: 1,
        other: 1,
      }),
    ).toEqual({})
    expect(policiesSearch({ sort: 'modified_by', page: -3 })).toEqual({})
    expect(filterCount(policiesSearch({ text: 'a' }))).toBe(0)
  })

  it('takes one value for a list, and figures for a text', () => {
    expect(policiesSearch({ types: 'slow_ride', text: 2026 })).toEqual({ types: ['slow_ride'], text: '2026' })
  })
})

import { expect, it } from 'vitest'
import { countFilters, policiesSearch } from './policies-search.ts'

it('counts the filters without the search text', () => {
  const search = { search: 'wharf', types: ['no_ride'], statuses: 'saved', vehicle_types: ['moped'], page: 2 }
  expect(countFilters(policiesSearch(search))).toBe(3)
  expect(countFilters({ search: 'a' })).toBe(0)
})

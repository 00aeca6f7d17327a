import { expect, it } from 'vitest'
import { filterCount, policiesSearch } from './policies-search.ts'

it('counts the filters without the search text', () => {
  const search = { search: 'wharf', types: ['no_ride'], statuses: 'saved', vehicle_types: ['moped'], page: 2 }
  expect(filterCount(policiesSearch(search))).toBe(3)
  expect(filterCount({ search: 'a' })).toBe(0)
})

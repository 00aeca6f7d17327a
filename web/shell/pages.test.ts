import { expect, it } from 'vitest'
import { getSharedSearch } from './pages.ts'

it('retains operators, period and view; other parameters of the next map have their defaults', () => {
  const shared = {
    operators: ['swift'],
    vehicle_type: 'moped' as const,
    start_date: '2026-03-01',
    end_date: '2026-03-31',
    hours: [7, 9] as [number, number],
    colors: 'clay' as const,
    results: true as const,
    view: [1, 2, 3] as [number, number, number],
  }
  const notShared = {
    days: [1, 2],
    heat: 'origin' as const,
    layer: 'some',
    shape: 'one',
    aggregation: 'destinations' as const,
    buffer: 50,
    by: 'day' as const,
    at: '2026-03-02',
    compare_start_date: '2026-02-01',
    compare_end_date: '2026-02-28',
    parked_duration: 1440,
  }
  expect(getSharedSearch('trips', 'parking', { ...shared, ...notShared })).toEqual(shared)
  expect(getSharedSearch('trips', 'live', shared)).toEqual(shared)
  expect(getSharedSearch('trips', 'parking', {})).toEqual({})
})

it('retains nothing for a page that is not a map', () => {
  expect(getSharedSearch('trips', 'policies', { operators: ['swift'] })).toEqual({})
  expect(getSharedSearch('policies', 'trips', { operators: ['swift'] })).toEqual({})
  expect(getSharedSearch(null, 'trips', { operators: ['swift'] })).toEqual({})
})

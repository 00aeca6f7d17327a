import { expect, it } from 'vitest'
import { keptSearch } from './pages.ts'

it('retains operators, period and view; other settings of the next map have their defaults', () => {
  const kept = {
    operators: ['swift'],
    vehicle_type: 'moped' as const,
    start_date: '2026-03-01',
    end_date: '2026-03-31',
    hours: [7, 9] as [number, number],
    colors: 'clay' as const,
    results: true as const,
    view: [1, 2, 3] as [number, number, number],
  }
  const left = {
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
  expect(keptSearch('trips', 'parking', { ...kept, ...left })).toEqual(kept)
  expect(keptSearch('trips', 'live', kept)).toEqual(kept)
  expect(keptSearch('trips', 'parking', {})).toEqual({})
})

it('keeps nothing for a page that is no map', () => {
  expect(keptSearch('trips', 'policies', { operators: ['swift'] })).toEqual({})
  expect(keptSearch('policies', 'trips', { operators: ['swift'] })).toEqual({})
  expect(keptSearch(null, 'trips', { operators: ['swift'] })).toEqual({})
})

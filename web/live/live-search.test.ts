import { describe, expect, it } from 'vitest'
import { liveStateNames } from '#contract/vehicles.ts'
import { isFiltered, toFilters, liveSearch } from './live-search.ts'
import { defaultStates } from './live-filters.ts'

describe('liveSearch', () => {
  it('is empty by default', () => {
    expect(liveSearch({})).toEqual({})
    expect(
      liveSearch({ color: 'operator', states: [...defaultStates].toReversed(), results: false }),
    ).toEqual({})
  })
  it('reads older links with a single vehicle type', () => {
    expect(liveSearch({ vehicle_type: 'moped' })).toEqual({ vehicle_types: ['moped'] })
    expect(toFilters({ vehicle_types: ['moped', 'car'] }).vehicleTypes).toEqual(['moped', 'car'])
  })
  it('reads an empty list as no selection', () => {
    expect(liveSearch({ operators: [], states: [] })).toEqual({ operators: [], states: [] })
  })
  it('means all operators and the default states if absent', () => {
    expect(toFilters({})).toEqual({
      operators: null,
      vehicleTypes: null,
      states: defaultStates,
      batteryBelow: null,
      maxSeenMinutes: null,
      minParkedMinutes: null,
    })
    expect(toFilters({ states: [...liveStateNames], operators: [] })).toMatchObject({
      states: liveStateNames,
      operators: [],
    })
  })
})

it('recognizes whether filters are set, such as no operator; colors and view are no filters', () => {
  expect(
    [{}, { color: 'state' as const, results: true as const, vehicle: 'swift:1' }].map(isFiltered),
  ).toEqual([false, false])
  expect(
    [{ operators: [] }, { battery: 25 }, { parked: 2880 }, { states: ['lost' as const] }].map(isFiltered),
  ).toEqual([true, true, true, true])
})

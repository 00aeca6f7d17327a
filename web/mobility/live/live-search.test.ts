import { describe, expect, it } from 'vitest'
import { liveStateNames } from '#contract/vehicles.ts'
import { anyFilter, filtersOf, liveSearch } from './live-search.ts'
import { usualStates } from './live-filters.ts'

describe('liveSearch', () => {
  it('is empty where nothing is said, and for what is usual', () => {
    expect(liveSearch({})).toEqual({})
    expect(liveSearch({ color: 'operator', states: [...usualStates].toReversed(), results: false })).toEqual(
      {},
    )
  })
  it('reads links with one vehicle type', () => {
    expect(liveSearch({ vehicle_type: 'moped' })).toEqual({ vehicle_types: ['moped'] })
    expect(filtersOf({ vehicle_types: ['moped', 'car'] }).vehicleTypes).toEqual(['moped', 'car'])
  })
  it('takes an empty list for none', () => {
    expect(liveSearch({ operators: [], states: [] })).toEqual({ operators: [], states: [] })
  })
  it('absent means all operators and the usual states', () => {
    expect(filtersOf({})).toEqual({
      operators: null,
      vehicleTypes: null,
      states: usualStates,
      batteryBelow: null,
      seenWithin: null,
    })
    expect(filtersOf({ states: [...liveStateNames], operators: [] })).toMatchObject({
      states: liveStateNames,
      operators: [],
    })
  })
})

it('knows whether anything is filtered: colours and places filter nothing, no operator does', () => {
  expect(
    [{}, { color: 'state' as const, results: true as const, vehicle: 'swift:1' }].map(anyFilter),
  ).toEqual([false, false])
  expect([{ operators: [] }, { battery: 25 }, { states: ['lost' as const] }].map(anyFilter)).toEqual([
    true,
    true,
    true,
  ])
})

import fc from 'fast-check'
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
  it('keeps what was chosen, none of the operators too', () => {
    expect(
      liveSearch({
        operators: ['b', 'a', 'b'],
        vehicleType: 'moped',
        states: ['lost'],
        battery: 20,
        seen: 5,
        color: 'battery',
        vehicle: 'swift:SW-1',
        results: true,
        view: [1, 2, 3],
      }),
    ).toEqual({
      operators: ['a', 'b'],
      vehicleType: 'moped',
      states: ['lost'],
      battery: 20,
      seen: 5,
      color: 'battery',
      vehicle: 'swift:SW-1',
      results: true,
      view: [1, 2, 3],
    })
    expect(liveSearch({ operators: [], states: [] })).toEqual({ operators: [], states: [] })
  })
  it('drops what makes no sense', () => {
    expect(
      liveSearch({
        vehicleType: 'tram',
        battery: 0,
        seen: -1,
        color: 'speed',
        vehicle: 'no colon',
        view: [200, 0, 3],
        states: 'flying',
        operators: 7,
        other: 1,
      }),
    ).toEqual({ operators: [], states: [] })
  })
  it('never fails, and reads what it wrote as the same', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            'operators',
            'vehicleType',
            'states',
            'battery',
            'seen',
            'color',
            'vehicle',
            'results',
            'view',
          ),
          fc.anything(),
        ),
        (search) => {
          const once = liveSearch(search)
          expect(liveSearch({ ...once })).toEqual(once)
        },
      ),
    )
  })
  it('absent means all operators and the usual states', () => {
    expect(filtersOf({})).toEqual({
      operators: null,
      vehicleType: null,
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

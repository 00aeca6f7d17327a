import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LiveState, liveStateNames } from '#contract/vehicles.ts'
import { FleetColumns } from './fleet-columns.ts'
import { liveVehicles, type TestVehicle, testTime } from './test-fleet.ts'

const rows = (columns: FleetColumns): unknown[] =>
  Array.from({ length: columns.size }, (_, handle) => handle)
    .filter((handle) => columns.isThere[handle] === 1)
    .map((handle) => ({
      handle,
      id: columns.getId(handle),
      state: columns.getState(handle),
      battery: columns.battery[handle],
      lon: Math.round(columns.lon[handle]! * 1e6),
      seen: columns.seen[handle],
    }))

const anyVehicle: fc.Arbitrary<TestVehicle> = fc.record({
  handle: fc.integer({ min: 0, max: 40 }),
  operator: fc.constantFrom('one', 'two'),
  state: fc.constantFrom<LiveState>(...liveStateNames),
  battery: fc.option(fc.integer({ min: 0, max: 100 })),
  lon: fc.integer({ min: -75_200_000, max: -74_800_000 }).map((micro) => micro / 1e6),
  seen: fc.integer({ min: 0, max: 1000 }),
})
const once = (vehicles: TestVehicle[]): TestVehicle[] => [
  ...new Map(vehicles.map((vehicle) => [vehicle.handle, vehicle])).values(),
]
const step = fc.record({
  changed: fc.array(anyVehicle, { maxLength: 12 }).map(once),
  gone: fc.array(fc.integer({ min: 0, max: 45 }), { maxLength: 5 }),
})

describe('the columns of a fleet', () => {
  it('contain the latest state of each handle after a list and changes', () => {
    fc.assert(
      fc.property(
        fc.array(anyVehicle, { maxLength: 30 }).map(once),
        fc.array(step, { maxLength: 6 }),
        (first, steps) => {
          const columns = new FleetColumns()
          columns.load(liveVehicles(first))
          const plain = new Map(first.map((vehicle) => [vehicle.handle, vehicle]))
          for (const [index, { changed, gone }] of steps.entries()) {
            const left = gone.filter((handle) => changed.every((vehicle) => vehicle.handle !== handle))
            columns.apply(liveVehicles(changed, { at: index + 2, gone: left }))
            for (const vehicle of changed) plain.set(vehicle.handle, vehicle)
            for (const handle of left) plain.delete(handle)
          }
          expect(columns.count).toBe(plain.size)
          expect(columns.at).toBe(steps.length + 1)
          expect(rows(columns)).toEqual(
            [...plain.values()]
              .toSorted((a, b) => a.handle - b.handle)
              .map(({ handle, operator, state, battery, lon, seen }) => ({
                handle,
                id: `${operator}:N-${handle}`,
                state,
                battery: battery ?? -1,
                lon: Math.round(lon! * 1e6),
                seen: testTime - seen! * 1000,
              })),
          )
        },
      ),
    )
  })

  it('are replaced by a new list', () => {
    const columns = new FleetColumns()
    columns.load(liveVehicles([{ handle: 7 }, { handle: 3000 }]))
    columns.load(liveVehicles([{ handle: 2 }]))
    expect([columns.count, columns.size, columns.find('one:N-7'), columns.find('one:N-2')]).toEqual([
      1, 3, -1, 2,
    ])
  })

  it('support unknown places, and find vehicles by operator and number', () => {
    const columns = new FleetColumns()
    columns.load(
      liveVehicles([
        { handle: 0, lon: null, lat: null, id: 'A:1' },
        { handle: 1, id: 'A:1', operator: 'two' },
      ]),
    )
    expect(columns.lon[0]).toBeNaN()
    expect([
      columns.find('one:A:1'),
      columns.find('two:A:1'),
      columns.find('three:A:1'),
      columns.find('nonsense'),
    ]).toEqual([0, 1, -1, -1])
  })
})

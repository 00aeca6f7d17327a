import { expect, test } from 'vitest'
import { getCompassDirection, RouteFilters, countTripsToward } from '#contract/routes.ts'
import { readRouteFilters } from './read-route-filters.ts'

const read = (query: object) => readRouteFilters('here', RouteFilters.parse(query))

test('readRouteFilters converts the filters of a URL to those of a trip query', () => {
  expect(read({})).toEqual({
    region_id: 'here',
    start_date: undefined,
    end_date: undefined,
    operators: [],
    vehicle_type: null,
    days: [],
    hour_filters: [0, 23],
  })
  expect(
    read({
      start_date: '2026-03-01',
      end_date: '2026-03-05',
      operators: 'b, a,,b',
      vehicle_type: 'moped',
      vehicle_types: 'scooter,moped',
      days: '7,1',
      start_time_hour: '7',
      end_time_hour: '9',
    }),
  ).toEqual({
    region_id: 'here',
    start_date: '2026-03-01',
    end_date: '2026-03-05',
    operators: ['a', 'b'],
    vehicle_type: 'moped',
    vehicle_types: ['moped', 'scooter'],
    days: [1, 7],
    hour_filters: [7, 9],
  })
})

test('readRouteFilters rejects invalid values', () => {
  for (const invalidQuery of [
    { days: '8' },
    { days: '1,' },
    { start_date: '2026-02-30' },
    { vehicle_type: 'boat' },
    { vehicle_types: 'moped,boat' },
    { end_time_hour: 24 },
  ])
    expect(RouteFilters.safeParse(invalidQuery).success).toBe(false)
})

test('Trips are counted by the direction of segments', () => {
  expect([0, 44, 46, 134, 136, 224, 226, 314, 316, 360, -90, 720].map(getCompassDirection)).toEqual([
    'north',
    'north',
    'east',
    'east',
    'south',
    'south',
    'west',
    'west',
    'north',
    'north',
    'west',
    'north',
  ])
  for (let heading = 0; heading < 360; heading += 7) {
    const volumes = { heading, forward: 5, backward: 3 }
    const tripsByDirection = (['north', 'east', 'south', 'west'] as const).map((direction) =>
      countTripsToward(direction, volumes),
    )
    expect(tripsByDirection.toSorted()).toEqual([0, 0, 3, 5])
    expect(countTripsToward(getCompassDirection(heading), volumes)).toBe(5)
    expect([
      countTripsToward('both', volumes),
      countTripsToward('forward', volumes),
      countTripsToward('backward', volumes),
    ]).toEqual([8, 5, 3])
  }
})

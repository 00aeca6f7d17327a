import { expect, it } from 'vitest'
import type { RouteVolumes } from '#contract/routes.ts'
import { computeRouteBins } from './route-bins.ts'
import { toRouteRows } from './route-row.ts'

const volumes: RouteVolumes = {
  trips: 9,
  trips_with_way: 8,
  trips_matched: 7,
  segment_ids: ['1', '2'],
  forward: [5, 0],
  backward: [2, 4],
  street: [0, 0],
  length_m: [90.5, 12],
  heading: [88, 350],
  boxes: [
    [0, 0, 1, 0],
    [0, 0, 0, 1],
  ],
  streets: [{ name: 'Main Street', class: 'arterial' }],
  gone_segments: 0,
  streets_version: 'v',
  milliseconds: 1,
}

it('shows both directions added up, or the volume toward a compass direction', () => {
  expect(
    toRouteRows(volumes, 'both').map(({ id, street, trips, lengthM }) => [id, street, trips, lengthM]),
  ).toEqual([
    ['1', 'Main Street', 7, 90.5],
    ['2', 'Main Street', 4, 12],
  ])
  expect(
    (['north', 'east', 'south', 'west'] as const).map((direction) =>
      toRouteRows(volumes, direction).map(({ id, trips }) => [id, trips]),
    ),
  ).toEqual([[], [['1', 5]], [['2', 4]], [['1', 2]]])
})

it('sorts segments and their directions into the same bins', () => {
  const rows = Array.from({ length: 21 }, (_, index) => ({
    id: String(index),
    trips: (index + 1) * 10,
    forward: (index + 1) * 10 - 1,
    backward: index === 0 ? 0 : 1,
  }))
  const { bins, binById } = computeRouteBins(rows)
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(21)
  expect(binById.get('0')).toEqual({ bin: 0, forward: 0, backward: -1 })
  expect(binById.get('20')).toEqual({ bin: bins.length - 1, forward: bins.length - 1, backward: 0 })
  expect(computeRouteBins([])).toEqual({ bins: [], binById: new Map() })
})

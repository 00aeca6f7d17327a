import { expect, it } from 'vitest'
import type { FleetPoints } from './layers/fleet-points.ts'
import { clusterRadiusPx, clustersLayer, formatClusterCount } from './layers/fleet-layers.ts'
import { pickFleet } from './fleet-marks.ts'

const fleet = (overrides: Partial<FleetPoints>): FleetPoints => ({
  scheme: 'light',
  count: 0,
  positions: new Float64Array(),
  colors: new Uint8ClampedArray(),
  getId: String,
  clusters: [],
  stations: [],
  selected: null,
  userLocation: null,
  ...overrides,
})
const zoom = 15
/** Converts pixels to degrees of longitude. */
const pixels = (count: number): number => (count * 360) / (512 * 2 ** zoom)

it('picks the nearest vehicle within the tolerance at any latitude', () => {
  for (const lat of [0, 41, 64]) {
    const points = fleet({
      count: 3,
      positions: Float64Array.from([
        10,
        lat,
        10 + pixels(8),
        lat,
        10,
        lat + pixels(8) * Math.cos((lat * Math.PI) / 180),
      ]),
    })
    expect(pickFleet(points, { lon: 10 + pixels(1), lat, zoom, tolerancePx: 4 })).toEqual({
      kind: 'vehicle',
      index: 0,
    })
    expect(pickFleet(points, { lon: 10 + pixels(7), lat, zoom, tolerancePx: 4 })).toEqual({
      kind: 'vehicle',
      index: 1,
    })
    expect(
      pickFleet(points, {
        lon: 10,
        lat: lat + pixels(7) * Math.cos((lat * Math.PI) / 180),
        zoom,
        tolerancePx: 4,
      }),
    ).toEqual({ kind: 'vehicle', index: 2 })
    expect(pickFleet(points, { lon: 10 - pixels(10), lat, zoom, tolerancePx: 4 })).toBeNull()
  }
})

it('picks only vehicles that are drawn', () => {
  expect(
    pickFleet(fleet({ count: 0, positions: Float64Array.from([10, 0]) }), {
      lon: 10,
      lat: 0,
      zoom,
      tolerancePx: 4,
    }),
  ).toBeNull()
})

it('picks clusters before stations, and both before vehicles', () => {
  const points = fleet({
    count: 1,
    positions: Float64Array.from([10, 0]),
    stations: [{ id: 'station/0', lon: 10, lat: 0, text: '3', isEmpty: false }],
    clusters: [{ lon: 10, lat: 0, count: 100 }],
  })
  expect(pickFleet(points, { lon: 10, lat: 0, zoom, tolerancePx: 4 })?.kind).toBe('cluster')
  expect(pickFleet({ ...points, clusters: [] }, { lon: 10, lat: 0, zoom, tolerancePx: 4 })?.kind).toBe(
    'station',
  )
  expect(
    pickFleet(points, { lon: 10 + pixels(clusterRadiusPx(100) + 6), lat: 0, zoom, tolerancePx: 4 }),
  ).toBeNull()
})

it('abbreviates counts', () => {
  expect([1, 999, 1000, 1249, 9949, 9951, 50_000].map(formatClusterCount)).toEqual([
    '1',
    '999',
    '1k',
    '1.2k',
    '9.9k',
    '10k',
    '50k',
  ])
})

it('has a larger tolerance for touch than for a mouse, and still picks the nearest', () => {
  const points = fleet({ count: 2, positions: Float64Array.from([10, 0, 10 + pixels(18), 0]) })
  expect(pickFleet(points, { lon: 10 - pixels(12), lat: 0, zoom, tolerancePx: 4 })).toBeNull()
  expect(pickFleet(points, { lon: 10 - pixels(12), lat: 0, zoom, tolerancePx: 16 })).toEqual({
    kind: 'vehicle',
    index: 0,
  })
  expect(pickFleet(points, { lon: 10 + pixels(10), lat: 0, zoom, tolerancePx: 16 })).toEqual({
    kind: 'vehicle',
    index: 1,
  })
})

it('draws clusters opaque, so that only their number is readable above a station', () => {
  const { getFillColor } = clustersLayer(fleet({}))
  const cluster = { lon: 1, lat: 2, count: 3 }
  for (const mark of [cluster, { ...cluster, parts: [{ color: '#102030', count: 3 }] }])
    expect(getFillColor(mark)[3]).toBe(255)
})

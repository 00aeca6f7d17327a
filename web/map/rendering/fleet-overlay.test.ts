import { expect, it } from 'vitest'
import type { FleetPoints } from '../layers/fleet-points.ts'
import { clusterRingsLayer, userLocationLayer, ringShares } from './canvas-icons.ts'
import { accuracyCircleLayer } from './fleet-overlay.ts'

const fleet: FleetPoints = {
  scheme: 'dark',
  count: 0,
  positions: new Float64Array(),
  colors: new Uint8ClampedArray(),
  getId: String,
  clusters: [],
  stations: [],
  selected: null,
  userLocation: null,
}

it('draws no position if it is unknown', () => {
  expect([userLocationLayer(fleet).data, accuracyCircleLayer(fleet).data]).toEqual([[], []])
})

it('draws the position with a circle of its accuracy in meters', () => {
  const userLocation = { lon: -75, lat: 37, accuracy: 40 }
  const circle = accuracyCircleLayer({ ...fleet, userLocation })
  expect([
    circle.data.map(circle.getPosition),
    circle.radiusUnits,
    circle.data.map(circle.getRadius),
  ]).toEqual([[[-75, 37]], 'meters', [40]])
})

it('draws rings of clusters with a slice for each color, however few vehicles have it', () => {
  expect(ringShares([3, 1])).toEqual([0.75, 0.25])
  const [many, few, none] = ringShares([999, 1, 0])
  expect(few).toBeGreaterThan(0.03)
  expect([many! + few!, none]).toEqual([1, 0])
  expect(clusterRingsLayer({ ...fleet, clusters: [{ lon: 1, lat: 2, count: 3 }] }).data).toEqual([])
})

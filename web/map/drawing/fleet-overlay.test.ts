import { expect, it } from 'vitest'
import type { FleetPoints } from '../layers/fleet-points.ts'
import { hereCircleLayer, hereLayer } from './fleet-overlay.ts'

const fleet: FleetPoints = {
  scheme: 'dark',
  count: 0,
  positions: new Float64Array(),
  colors: new Uint8ClampedArray(),
  idOf: String,
  clusters: [],
  stations: [],
  selected: null,
  here: null,
}

it('draws no position if it is unknown', () => {
  expect([hereLayer(fleet).data, hereCircleLayer(fleet).data]).toEqual([[], []])
})

it('draws the position with a circle of its accuracy in meters', () => {
  const here = { lon: -75, lat: 37, accuracy: 40 }
  const circle = hereCircleLayer({ ...fleet, here })
  expect([
    circle.data.map(circle.getPosition),
    circle.radiusUnits,
    circle.data.map(circle.getRadius),
  ]).toEqual([[[-75, 37]], 'meters', [40]])
  expect(hereLayer({ ...fleet, here }).radiusUnits).toBe('pixels')
})

import { expect, test } from 'vitest'
import type { Geometry } from '#contract/place.ts'
import { listPackedBuffers, packGeometries, unpackGeometries } from './packed-geometries.ts'
import { positions } from '../../../test/positions.ts'

const ring: [number, number][] = positions('0 0, 1 0, 1 1, 0 0')
const geometries: Geometry[] = [
  { type: 'Point', coordinates: [-83.1234567, 40] },
  { type: 'MultiPoint', coordinates: positions('1 2, 3 4') },
  { type: 'LineString', coordinates: positions('1 2, 3 4, 5 6') },
  { type: 'MultiLineString', coordinates: [positions('1 2, 3 4'), positions('5 6, 7 8')] },
  { type: 'Polygon', coordinates: [ring, ring.map(([x, y]) => [x / 2, y / 2])] },
  { type: 'MultiPolygon', coordinates: [[ring], [ring, ring]] },
  { type: 'MultiPolygon', coordinates: [] },
]

test('Packing round-trips every kind of geometry exactly', () => {
  expect(unpackGeometries(packGeometries(geometries))).toEqual(geometries)
  expect(unpackGeometries(packGeometries([]))).toEqual([])
})

test('A packed geometry is transferred without copying', () => {
  const packed = packGeometries(geometries)
  const moved = structuredClone(packed, { transfer: listPackedBuffers(packed) })
  expect(packed.coordinates.byteLength + packed.counts.byteLength + packed.types.byteLength).toBe(0)
  expect(unpackGeometries(moved)).toEqual(geometries)
})

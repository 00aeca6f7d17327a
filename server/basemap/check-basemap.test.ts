import { expect, test } from 'vitest'
import type { BasemapShape } from '#contract/basemap.ts'
import { findGeometryError } from './check-basemap.ts'
import { positions } from '../../test/positions.ts'

const ring = positions('0 0, 1 0, 1 1, 0 0')
const findError = (type: BasemapShape['geometry']['type'], coordinates: unknown) =>
  findGeometryError({ type, coordinates: coordinates as unknown[] })

test('findGeometryError accepts valid geometries', () => {
  expect([
    findError('Point', [1, 2]),
    findError('LineString', positions('1 2, 3 4')),
    findError('Polygon', [ring, ring]),
    findError('MultiPolygon', [[ring], [ring, ring]]),
  ]).toEqual([null, null, null, null])
})

test.each([
  ['Point', [1]],
  ['Point', [181, 0]],
  ['Point', [0, 91]],
  ['Point', ['1', 2]],
  ['Point', [1, 2, 3]],
  ['Point', [NaN, 1]],
  ['LineString', [[1, 2]]],
  [
    'LineString',
    [
      [1, 2],
      [3, null],
    ],
  ],
  ['LineString', [1, 2]],
  ['Polygon', [ring.slice(0, 3)]],
  ['Polygon', [positions('0 0, 1 0, 1 1, 0 1')]],
  ['Polygon', ring],
  ['MultiPolygon', [ring]],
  ['MultiPolygon', [[]]],
] as const)('findGeometryError rejects a %s of %j', (type, coordinates) =>
  expect(findError(type, coordinates)).toMatch(/ must /),
)

import { expect, it } from 'vitest'
import type { BasemapShape } from '#contract/basemap.ts'
import { geometryFault } from './check-basemap.ts'
import { positions } from '../../test/positions.ts'

const ring = positions('0 0, 1 0, 1 1, 0 0')
const fault = (type: BasemapShape['geometry']['type'], coordinates: unknown) =>
  geometryFault({ type, coordinates: coordinates as unknown[] })

it('accepts valid geometries', () => {
  expect([
    fault('Point', [1, 2]),
    fault('LineString', positions('1 2, 3 4')),
    fault('Polygon', [ring, ring]),
    fault('MultiPolygon', [[ring], [ring, ring]]),
  ]).toEqual([null, null, null, null])
})

it.each([
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
] as const)('%s of %j is wrong', (type, coordinates) => expect(fault(type, coordinates)).toMatch(/ must /))

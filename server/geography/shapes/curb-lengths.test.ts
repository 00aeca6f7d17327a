import { expect, test } from 'vitest'
import { measureCurbLengths } from './curb-lengths.ts'
import { positions } from '../../../test/positions.ts'

/** Meters per thousandth of a degree of latitude at the equator (WGS 84). */
const stepMeters = 110.574

test('measureCurbLengths measures the lines of a layer, not areas and points', () => {
  const lengths = measureCurbLengths([
    {
      shapeId: 'a',
      name: 'A',
      geometry: { type: 'LineString', coordinates: positions('0 0, 0 0.001, 0 0.002') },
    },
    {
      shapeId: 'b',
      name: 'B',
      geometry: {
        type: 'MultiLineString',
        coordinates: [positions('0 0, 0 0.001'), positions('1 0, 1 0.003')],
      },
    },
    { shapeId: 'c', name: 'C', geometry: { type: 'Point', coordinates: [0, 0] } },
    {
      shapeId: 'd',
      name: 'D',
      geometry: { type: 'Polygon', coordinates: [positions('0 0, 1 0, 0 1, 0 0')] },
    },
  ])
  expect(lengths.items.map(({ shape_uuid: id }) => id)).toEqual(['a', 'b'])
  const about = (steps: number): number => expect.closeTo(steps * stepMeters, 0) as number
  expect(lengths).toMatchObject({
    count: 2,
    total_length_m: about(6),
    average_length_m: about(3),
    min_length_m: about(2),
    max_length_m: about(4),
  })
})

test('measureCurbLengths returns nulls for a layer without lines', () => {
  expect(measureCurbLengths([])).toEqual({
    count: 0,
    total_length_m: 0,
    average_length_m: null,
    min_length_m: null,
    max_length_m: null,
    items: [],
  })
})

import { describe, expect, it } from 'vitest'
import type { Geometry, Position } from '#contract/place.ts'
import { toDrawingParts, replacePart } from './drawing-parts.ts'

const ring = (x: number, y: number, side: number): Position[] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
  [x, y],
]
const geometries: Geometry[] = [
  { type: 'Point', coordinates: [1, 2] },
  {
    type: 'MultiPoint',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  },
  {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  },
  {
    type: 'MultiLineString',
    coordinates: [
      [
        [0, 0],
        [1, 1],
      ],
      [
        [2, 2],
        [3, 3],
      ],
    ],
  },
  { type: 'Polygon', coordinates: [ring(0, 0, 6), ring(1, 1, 1)] },
  { type: 'MultiPolygon', coordinates: [[ring(0, 0, 6), ring(1, 1, 1)], [ring(10, 0, 2)]] },
]

describe('parts of a geometry', () => {
  it('are its rings, lines and points', () => {
    expect(
      geometries.map((geometry) => toDrawingParts(geometry).map(({ id, kind }) => `${kind} ${id}`)),
    ).toEqual([
      ['point 0:0'],
      ['point 0:0', 'point 1:0'],
      ['line 0:0'],
      ['line 0:0', 'line 1:0'],
      ['outline 0:0', 'hole 0:1'],
      ['outline 0:0', 'hole 0:1', 'outline 1:0'],
    ])
  })

  it.each(geometries)('of a $type are replaced one at a time', (geometry) => {
    for (const part of toDrawingParts(geometry)) {
      const moved = part.positions.map(([x, y]): Position => [x + 0.5, y])
      const after = toDrawingParts(replacePart(geometry, part.id, moved))
      expect(after.find(({ id }) => id === part.id)?.positions).toEqual(moved)
      expect(after.filter(({ id }) => id !== part.id)).toEqual(
        toDrawingParts(geometry).filter(({ id }) => id !== part.id),
      )
      expect(replacePart(geometry, part.id, part.positions)).toEqual(geometry)
    }
  })
})

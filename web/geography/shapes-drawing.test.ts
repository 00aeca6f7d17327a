import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Geometry } from '#contract/place.ts'
import { boxAroundGeometries } from '#web/map/rendering/box-around.ts'
import { createDrawing } from './shapes-drawing.tsx'
import { positions } from '../../test/positions.ts'

const square: Geometry = { type: 'Polygon', coordinates: [positions('0 0, 1 0, 1 1, 0 1, 0 0')] }
const line: Geometry = { type: 'LineString', coordinates: positions('0 0, 1 1') }
const point: Geometry = { type: 'Point', coordinates: [0.5, 0.5] }

describe('a drawing', () => {
  it('has the box around all of its geometries', () => {
    expect(boxAroundGeometries([square, { type: 'MultiPoint', coordinates: [[-2, 3]] }])).toEqual([
      -2, 0, 1, 3,
    ])
    expect(boxAroundGeometries([])).toBeNull()
  })

  it('covers the whole world, up to the poles', () => {
    const world: Geometry = {
      type: 'Polygon',
      coordinates: [positions('-180 -90, 180 -90, 180 90, -180 90, -180 -90')],
    }
    expect(createDrawing([world, square], [-180, -90, 180, 90], 100, 100).areas).not.toMatch(/NaN|Infinity/)
  })

  it('draws areas closed, lines open and points as dots, north up', () => {
    const drawing = createDrawing([square, line, point], [0, 0, 1, 1], 100, 100)
    expect(drawing.areas.startsWith('M0.0 100.0L100.0 100.0L100.0 0.0')).toBe(true)
    expect(drawing.areas.endsWith('Z')).toBe(true)
    expect(drawing.lines).toBe('M0.0 100.0L100.0 0.0')
    expect(drawing.points).toBe('M50.0 50.0h0')
  })

  it('preserves the proportions and is centered', () => {
    expect(createDrawing([line], [0, 0, 1, 1], 300, 100).lines).toMatch(/^M100\.0 100\.0L200\.0 0\.0$/)
  })

  it('supports a single point', () => {
    expect(createDrawing([point], [0.5, 0.5, 0.5, 0.5], 100, 100).points).toBe('M50.0 50.0h0')
  })

  it('draws every part of a multi-geometry', () => {
    const many: Geometry = {
      type: 'MultiPolygon',
      coordinates: [square.coordinates, square.coordinates] as never,
    }
    expect(
      createDrawing(
        [many, { type: 'MultiLineString', coordinates: [positions('0 0, 1 1'), []] }],
        [0, 0, 1, 1],
        10,
        10,
      ).areas.match(/Z/g),
    ).toHaveLength(2)
  })
})

describe('with any geometries', () => {
  const position = fc.tuple(
    fc.double({ min: -179, max: 179, noNaN: true }),
    fc.double({ min: -84, max: 84, noNaN: true }),
  )
  const many = fc.array(position, { minLength: 1, maxLength: 6 })
  const geometry: fc.Arbitrary<Geometry> = fc.oneof(
    position.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
    many.map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
    many.map((ring): Geometry => ({ type: 'Polygon', coordinates: [[...ring, ring[0]!]] })),
    many.map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates })),
  )

  it('draws them within the picture', () => {
    fc.assert(
      fc.property(fc.array(geometry, { minLength: 1, maxLength: 5 }), (geometries) => {
        const { areas, lines, points } = createDrawing(geometries, boxAroundGeometries(geometries)!, 300, 200)
        for (const [, x, y] of `${areas}${lines}${points}`.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)) {
          expect(Number(x)).toBeGreaterThanOrEqual(-0.1)
          expect(Number(x)).toBeLessThanOrEqual(300.1)
          expect(Number(y)).toBeGreaterThanOrEqual(-0.1)
          expect(Number(y)).toBeLessThanOrEqual(200.1)
        }
      }),
    )
  })

  it('has the smallest box that contains them', () => {
    fc.assert(
      fc.property(fc.array(geometry, { minLength: 1, maxLength: 5 }), (geometries) => {
        const flat = geometries.flatMap(({ coordinates }) => (coordinates as unknown[]).flat(3) as number[])
        const [lons, lats] = [flat.filter((_, i) => i % 2 === 0), flat.filter((_, i) => i % 2 === 1)]
        expect(boxAroundGeometries(geometries)).toEqual([
          Math.min(...lons),
          Math.min(...lats),
          Math.max(...lons),
          Math.max(...lats),
        ])
      }),
    )
  })

  it('draws them larger farther north, as on the map', () => {
    const getHeight = (lat: number): number => {
      const ends: Geometry = {
        type: 'LineString',
        coordinates: [
          [0, lat],
          [10, lat + 1],
        ],
      }
      const [, , top] = /^M0\.0 ([\d.]+)L300\.0 ([\d.]+)$/.exec(
        createDrawing([ends], [0, lat, 10, lat + 1], 300, 300).lines,
      )!
      return 150 - Number(top)
    }
    expect(getHeight(60)).toBeGreaterThan(getHeight(0) * 1.9)
  })
})

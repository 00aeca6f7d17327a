import fc from 'fast-check'
import type { MultiPolygon, Polygon, Position } from 'geojson'
import { describe, expect, it } from 'vitest'
import type { BoundaryGeometry } from '../boundary-files/boundary-geometry.ts'
import { growShape } from './grow-shape.ts'
import { computeArea } from './repair/repair-area.ts'
import { isValidArea } from './repair/is-valid-area.ts'
import { getRingArea } from './repair/ring-area.ts'
import { repairShape } from './repair-shape.ts'
import { contains } from '../../../test/city/contains.ts'
import { positions } from '../../../test/positions.ts'

type Point = readonly [number, number]
const radians = Math.PI / 180
const listPolygons = (geometry: Polygon | MultiPolygon | null): Position[][][] =>
  geometry === null ? [] : geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates

/**
 * Returns the meters east and north of a place, from its radii of curvature. Another method than the tested
 * one, accurate to 1 part in 10⁵ over a kilometer.
 */
function metersFrom([lon0, lat0]: Point): (position: Position) => Point {
  const a = 6378137
  const e2 = 0.00669437999014
  const w = 1 - e2 * Math.sin(lat0 * radians) ** 2
  const north = ((a * (1 - e2)) / w ** 1.5) * radians
  const east = (a / Math.sqrt(w)) * Math.cos(lat0 * radians) * radians
  return ([lon = 0, lat = 0]) => [(lon - lon0) * east, (lat - lat0) * north]
}

function distanceTo(rings: readonly (readonly Point[])[], [x, y]: Point): number {
  let min = Infinity
  for (const ring of rings) {
    for (let index = 0; index < ring.length; index += 1) {
      const [ax, ay] = ring[index] ?? [0, 0]
      const [bx, by] = ring[index + 1] ?? [ax, ay]
      const length = (bx - ax) ** 2 + (by - ay) ** 2
      const along =
        length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
      min = Math.min(min, Math.hypot(ax + along * (bx - ax) - x, ay + along * (by - ay) - y))
    }
  }
  return min
}

const isInside = (polygons: readonly Position[][][], position: Position): boolean =>
  contains(polygons.flat() as [number, number][][], position as [number, number])

describe('growShape', () => {
  it.each(positions('0 0, -122.67 45.52, 24.94 60.17, 151.2 -33.87, 179.9999 -16.8'))(
    'makes a circle of 20 m around a point at %f, %f',
    (lon, lat) => {
      const grown = growShape({ type: 'Point', coordinates: [lon, lat] }, 20)
      expect(grown?.type).toBe('Polygon')
      const toMeters = metersFrom([lon, lat])
      for (const position of listPolygons(grown).flat(2))
        expect(Math.abs(Math.hypot(...toMeters(position)) / 20 - 1)).toBeLessThan(0.0005)
      // 64 corners on the circle: 0.16% less than the full circle.
      expect(computeArea(listPolygons(grown)) / (Math.PI * 400)).toBeCloseTo(0.9984, 3)
      expect(getRingArea(listPolygons(grown)[0]?.[0] ?? [])).toBeGreaterThan(0)
    },
  )

  it('rounds the ends of a line', () => {
    const [lon, lat] = [11.25, 43.77]
    const line: BoundaryGeometry = {
      type: 'LineString',
      coordinates: [
        [lon, lat],
        [lon + 0.01, lat],
      ],
    }
    const length = metersFrom([lon, lat])([lon + 0.01, lat])[0]
    expect(computeArea(listPolygons(growShape(line, 10))) / (length * 20 + Math.PI * 100)).toBeCloseTo(1, 3)
    expect(
      growShape(
        {
          type: 'MultiLineString',
          coordinates: [
            line.coordinates,
            [
              [lon, lat + 1],
              [lon, lat + 1.01],
            ],
          ],
        },
        10,
      )?.type,
    ).toBe('MultiPolygon')
    expect(
      growShape(
        {
          type: 'MultiPoint',
          coordinates: [
            [lon, lat],
            [lon, lat],
          ],
        },
        10,
      )?.type,
    ).toBe('Polygon')
  })

  it('shrinks until nothing is left', () => {
    const square: BoundaryGeometry = {
      type: 'Polygon',
      coordinates: [positions('0 0, 0.001 0, 0.001 0.001, 0 0.001, 0 0')],
    }
    const [width, height] = metersFrom([0, 0])([0.001, 0.001])
    expect(computeArea(listPolygons(growShape(square, -10))) / ((width - 20) * (height - 20))).toBeCloseTo(
      1,
      4,
    )
    expect(growShape(square, -60)).toBeNull()
    expect(growShape({ type: 'Point', coordinates: [0, 0] }, -1)).toBeNull()
    expect(growShape({ type: 'LineString', coordinates: positions('0 0, 1 1') }, -1)).toBeNull()
  })

  it('grows shapes that are thinner than the vertex spacing', () => {
    const thin = (points: Position[]): BoundaryGeometry => ({
      type: 'Polygon',
      coordinates: [[...points, points[0] ?? []]],
    })
    const edges = [
      thin(
        positions(
          '-122.6 60.20000000000012, -122.6 60.2, -122.5998902317621 60.20299998189865, -122.6 60.200000000000394',
        ),
      ),
      thin(
        positions(
          '-122.6 45.50000025781704, -122.6 45.500000000000036, -122.6 45.5, -122.59918805641239 45.5',
        ),
      ),
      thin(
        positions(
          '-122.59999999999998 5e-324, -122.6 0, -122.59999999999997 0, -122.6 1.4471625543557295e-18',
        ),
      ),
    ]
    for (const shape of edges) {
      expect(isValidArea(listPolygons(growShape(shape, 5)))).toBe(true)
      expect(computeArea(listPolygons(growShape(shape, 5)))).toBeGreaterThan(Math.PI * 25 * 0.99)
      expect(growShape(shape, -5)).toBeNull()
    }
  })

  it('closes a hole and keeps a larger one', () => {
    const hole = (size: number): Position[] => [
      [0.002, 0.002],
      [0.002, 0.002 + size],
      [0.002 + size, 0.002 + size],
      [0.002 + size, 0.002],
      [0.002, 0.002],
    ]
    const outer: Position[] = positions('0 0, 0.01 0, 0.01 0.01, 0 0.01, 0 0')
    expect(growShape({ type: 'Polygon', coordinates: [outer, hole(0.0001)] }, 10)?.coordinates).toHaveLength(
      1,
    )
    const kept = growShape({ type: 'Polygon', coordinates: [outer, hole(0.001)] }, 10)
      ?.coordinates as Position[][]
    expect(kept).toHaveLength(2)
    expect(getRingArea(kept[1] ?? [])).toBeLessThan(0)
  })

  it('joins parts that grow into each other', () => {
    const part = (x: number): Position[][] => [
      [
        [x, 0],
        [x + 0.001, 0],
        [x + 0.001, 0.001],
        [x, 0.001],
        [x, 0],
      ],
    ]
    expect(growShape({ type: 'MultiPolygon', coordinates: [part(0), part(0.0011)] }, 10)?.type).toBe(
      'Polygon',
    )
    expect(growShape({ type: 'MultiPolygon', coordinates: [part(0), part(0.0015)] }, 10)?.type).toBe(
      'MultiPolygon',
    )
  })

  it('returns an area unchanged for 0 m, and rejects NaN', () => {
    const square: BoundaryGeometry = { type: 'Polygon', coordinates: [positions('0 0, 1 0, 1 1, 0 0')] }
    expect(growShape(square, 0)).toBe(square)
    expect(growShape({ type: 'Point', coordinates: [0, 0] }, 0)).toBeNull()
    expect(growShape({ type: 'MultiPoint', coordinates: [] }, 10)).toBeNull()
    expect(() => growShape(square, NaN)).toThrow(RangeError)
  })

  it('grows past longitude 180 instead of being torn apart', () => {
    const xs = listPolygons(growShape({ type: 'Point', coordinates: [180, 0] }, 1000))
      .flat(2)
      .map(([x = 0]) => x)
    expect(Math.max(...xs) - Math.min(...xs)).toBeLessThan(0.02)
  })

  it('is accurate 100 km from the center of a shape', () => {
    // Two distant parts of one shape: the circle around each is measured at its own place.
    const ends: Point[] = positions('-123.9 45.5, -121.4 45.5')
    for (const polygon of listPolygons(
      growShape({ type: 'MultiPoint', coordinates: ends.map((end) => [...end]) }, 100),
    )) {
      const [center = [0, 0]] = [ends.find(([lon]) => Math.abs((polygon[0]?.[0]?.[0] ?? 0) - lon) < 0.1)]
      for (const position of polygon.flat())
        expect(Math.abs(Math.hypot(...metersFrom(center as Point)(position)) / 100 - 1)).toBeLessThan(0.002)
    }
  })

  it('contains points nearer than the distance and none that are farther', () => {
    const size = 0.004
    const coordinate = fc.double({ min: 0, max: 1, noNaN: true })
    const ring = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 9 })
    const property = fc.property(
      ring,
      fc.integer({ min: 5, max: 120 }),
      fc.constantFrom(0, 45.5, -33.9, 60.2),
      fc.array(fc.tuple(coordinate, coordinate), { minLength: 60, maxLength: 60 }),
      (points, meters, lat, samples) => {
        const place = ([u, v]: Point): Position => [-122.6 + u * size, lat + v * size]
        const shape = repairShape({
          type: 'Polygon',
          coordinates: [[...points, points[0] ?? ([0, 0] as Point)].map((point) => place(point))],
        }).geometry
        if (shape === null) return true
        const polygons = listPolygons(shape as Polygon | MultiPolygon)
        const grown = listPolygons(growShape(shape as Polygon, meters))
        const toMeters = metersFrom([-122.6 + size / 2, lat + size / 2])
        const flat = polygons.flat().map((part) => part.map(toMeters))
        const agrees = samples.every(([u, v]) => {
          const position = place([u * 2 - 0.5, v * 2 - 0.5])
          const distance = isInside(polygons, position) ? 0 : distanceTo(flat, toMeters(position))
          return distance < meters * 0.99
            ? isInside(grown, position)
            : distance <= meters * 1.01 || !isInside(grown, position)
        })
        return agrees && isValidArea(grown)
      },
    )
    expect(() => fc.assert(property, { numRuns: Number(process.env['SHAPE_RUNS'] ?? 40) })).not.toThrow()
  }, 60_000)

  it('has its border at the distance, to 0.2%', () => {
    const comb: Position[] = positions(
      '0 0, 0.004 0, 0.004 0.003, 0.003 0.003, 0.003 0.001, 0.0021 0.0011, 0.002 0.004, 0.0012 0.0035, 0.001 0.001, 0 0.0012, 0 0',
    )
    const shape: Polygon = {
      type: 'Polygon',
      coordinates: [comb.map(([x = 0, y = 0]) => [-122.6 + x, 45.5 + y])],
    }
    const toMeters = metersFrom([-122.598, 45.502])
    const border = shape.coordinates.map((ring) => ring.map(toMeters))
    for (const meters of [2, 20, 100]) {
      for (const ring of listPolygons(growShape(shape, meters)).flat()) {
        ring.slice(1).forEach(([x = 0, y = 0], index) => {
          const [fx = 0, fy = 0] = ring[index] ?? []
          for (const part of [0, 0.5]) {
            const distance = distanceTo(border, toMeters([x + part * (fx - x), y + part * (fy - y)]))
            expect(Math.abs(distance / meters - 1)).toBeLessThan(0.002)
          }
        })
      }
    }
  })
})

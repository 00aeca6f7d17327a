import fc from 'fast-check'
import type { Position } from 'geojson'
import { describe, expect, it } from 'vitest'
import type { BoundaryGeometry } from '../boundary-files/boundary-geometry.ts'
import { computeArea } from './repair/repair-area.ts'
import { isValidArea } from './repair/is-valid-area.ts'
import { repairShape } from './repair-shape.ts'
import { contains } from '../../../test/city/contains.ts'
import { makeSquare, positions } from '../../../test/positions.ts'

type Polygons = Position[][][]
const polygon = (...rings: Position[][]): BoundaryGeometry => ({ type: 'Polygon', coordinates: rings })
const multi = (...polygons: Polygons): BoundaryGeometry => ({ type: 'MultiPolygon', coordinates: polygons })
const hole = (x: number, y: number, size: number): Position[] => makeSquare(x, y, size).toReversed()
const codes = (geometry: BoundaryGeometry): string[] =>
  repairShape(geometry).repairs.map((repair) => repair.code)

function listPolygons(geometry: BoundaryGeometry | null): Polygons {
  if (geometry?.type === 'Polygon') return [geometry.coordinates]
  return geometry?.type === 'MultiPolygon' ? geometry.coordinates : []
}

describe('valid shapes', () => {
  it('are unchanged', () => {
    const far = makeSquare(9, 9, 1)
    for (const geometry of [
      polygon(makeSquare(0, 0, 4), hole(1, 1, 1)),
      multi([makeSquare(0, 0, 1)], [far]),
      multi([makeSquare(0, 0, 1)], [[...far.slice(2, -1), ...far.slice(0, 3)]]),
    ]) {
      expect(repairShape(geometry)).toEqual({ geometry, repairs: [] })
      expect(repairShape(geometry).geometry).toBe(geometry)
    }
  })

  it('may touch themselves as the standard allows', () => {
    const holeAtCorner = polygon(makeSquare(0, 0, 4), positions('0 0, 1 2, 2 1, 0 0'))
    const partsAtCorner = multi([makeSquare(0, 0, 1)], [makeSquare(1, 1, 1)])
    for (const geometry of [holeAtCorner, partsAtCorner])
      expect(repairShape(geometry).geometry).toBe(geometry)
  })

  it('get the right ring order with the same vertices', () => {
    const { geometry, repairs } = repairShape(polygon(hole(0, 0, 4), makeSquare(1, 1, 1)))
    expect(geometry).toEqual(polygon(makeSquare(0, 0, 4), hole(1, 1, 1)))
    expect(repairs).toEqual([])
  })
})

describe('rings', () => {
  it('are closed', () => {
    expect(repairShape(polygon(makeSquare(0, 0, 1).slice(0, -1)))).toEqual({
      geometry: polygon(makeSquare(0, 0, 1)),
      repairs: [{ code: 'ring-closed', text: 'One border that did not end where it began was closed.' }],
    })
  })

  it('lose repeated points', () => {
    const [a, ...rest] = makeSquare(0, 0, 1)
    const { geometry, repairs } = repairShape(polygon([a ?? [], a ?? [], ...rest, a ?? []]))
    expect(geometry).toEqual(polygon(makeSquare(0, 0, 1)))
    expect(repairs).toEqual([{ code: 'points-repeated', text: '2 repeated points were removed.' }])
  })

  it('lose positions that are not finite', () => {
    const broken = makeSquare(0, 0, 1)
    broken.splice(2, 0, [NaN, 3], [4, Infinity])
    expect(repairShape(polygon(broken))).toMatchObject({
      geometry: polygon(makeSquare(0, 0, 1)),
      repairs: [{ code: 'position-not-finite' }],
    })
  })

  it('with fewer than three corners are dropped, outer ones with their holes', () => {
    const line: Position[] = positions('1 1, 2 2, 1 1')
    expect(repairShape(polygon(makeSquare(0, 0, 4), line))).toMatchObject({
      geometry: polygon(makeSquare(0, 0, 4)),
      repairs: [{ code: 'ring-dropped' }],
    })
    expect(repairShape(multi([line, hole(1, 1, 1)], [makeSquare(0, 0, 1)]))).toMatchObject({
      geometry: multi([makeSquare(0, 0, 1)]),
      repairs: [{ code: 'ring-dropped' }],
    })
  })

  it('return null if none has an area', () => {
    for (const geometry of [
      polygon(positions('0 0, 1 1, 0 0')),
      polygon(positions('0 0, 1 1, 2 2, 0 0')),
      polygon([]),
      multi(),
    ]) {
      expect(repairShape(geometry).geometry).toBeNull()
      expect(codes(geometry).at(-1)).toBe('nothing-left')
    }
  })
})

describe('crossing borders', () => {
  it('split a bow tie into two halves', () => {
    const { geometry, repairs } = repairShape(polygon(positions('0 0, 2 2, 2 0, 0 2, 0 0')))
    expect(listPolygons(geometry)).toHaveLength(2)
    expect(computeArea(listPolygons(geometry)) / computeArea([[makeSquare(0, 0, 2)]])).toBeCloseTo(0.5, 3)
    expect(repairs).toMatchObject([{ code: 'borders-crossed' }])
    expect(repairs[0]?.text).toMatch(/The area grew by [\d,]+ m², from [\d,]+ m² to [\d,]+ m²\.$/)
  })

  it('lose spikes, not corners', () => {
    const { geometry } = repairShape(polygon(positions('0 0, 1 0, 1 0.5, 5 0.5, 1 0.5, 1 1, 0 1, 0 0')))
    expect(geometry?.type).toBe('Polygon')
    expect(new Set(listPolygons(geometry).flat(2).map(String))).toEqual(
      new Set(['0,0', '1,0', '1,0.5', '1,1', '0,1']),
    )
  })

  it('split a ring that touches itself into a ring and a hole', () => {
    const { geometry } = repairShape(polygon(positions('0 0, 4 0, 4 4, 2 4, 3 2, 1 2, 2 4, 0 4, 0 0')))
    expect(listPolygons(geometry)).toMatchObject([{ length: 2 }])
  })

  it('empty a doubled ring by the even-odd rule', () => {
    expect(
      repairShape(polygon([...makeSquare(0, 0, 1), ...makeSquare(0, 0, 1).slice(1)])).geometry,
    ).toBeNull()
  })

  it('subtract protruding and overlapping holes once', () => {
    const protruding = repairShape(polygon(makeSquare(0, 0, 4), hole(3, 1, 2)))
    expect(computeArea(listPolygons(protruding.geometry)) / computeArea([[makeSquare(0, 0, 4)]])).toBeCloseTo(
      14 / 16,
      3,
    )
    const overlapping = repairShape(polygon(makeSquare(0, 0, 6), hole(1, 1, 2), hole(2, 2, 2)))
    const share = computeArea(listPolygons(overlapping.geometry)) / computeArea([[makeSquare(0, 0, 6)]])
    expect(share).toBeCloseTo(29 / 36, 3)
    expect(listPolygons(overlapping.geometry)).toMatchObject([{ length: 2 }])
  })

  it('join parts that overlap, contain each other or share a border', () => {
    for (const [parts, area] of [
      [[[makeSquare(0, 0, 2)], [makeSquare(1, 1, 2)]], 7],
      [[[makeSquare(0, 0, 4)], [makeSquare(1, 1, 1)]], 16],
      [[[makeSquare(0, 0, 1)], [makeSquare(1, 0, 1)]], 2],
    ] as [Polygons, number][]) {
      const { geometry, repairs } = repairShape(multi(...parts))
      expect(geometry?.coordinates).toHaveLength(1)
      expect(computeArea(listPolygons(geometry)) / computeArea([[makeSquare(0, 0, 1)]])).toBeCloseTo(area, 1)
      expect(repairs).toMatchObject([{ code: 'parts-joined' }])
    }
  })

  it('leave the vertices of unaffected parts unchanged', () => {
    const far: Position[] = positions('50.123456789 3, 51 3.000000001, 50.5 4.7, 50.123456789 3')
    const { geometry } = repairShape(multi([positions('0 0, 2 2, 2 0, 0 2, 0 0')], [far]))
    const farPolygon = listPolygons(geometry).find(([ring]) => ring?.some(([x]) => x === 50.123456789))
    expect(new Set(farPolygon?.flat().map(String))).toEqual(new Set(far.map(String)))
  })

  it('are rejected within seconds if they are tangled', () => {
    const zigzag: Position[] = Array.from({ length: 30_000 }, (_, index) => [index % 2, 45 + (index % 2)])
    const started = performance.now()
    expect(codes(polygon([...zigzag, [0, 46]]))).toContain('tangled')
    expect(performance.now() - started).toBeLessThan(20_000)
  }, 30_000)
})

describe('lines and points', () => {
  it('lose only duplicates and positions that are not finite', () => {
    const crossing: BoundaryGeometry = { type: 'LineString', coordinates: positions('0 0, 2 2, 2 0, 0 2') }
    expect(repairShape(crossing).geometry).toBe(crossing)
    expect(
      repairShape({
        type: 'LineString',
        coordinates: [
          [0, 0],
          [0, 0],
          [NaN, 1],
          [1, 1],
        ],
      }),
    ).toMatchObject({
      geometry: {
        type: 'LineString',
        coordinates: positions('0 0, 1 1'),
      },
      repairs: [{ code: 'position-not-finite' }, { code: 'points-repeated' }],
    })
    expect(
      repairShape({ type: 'MultiLineString', coordinates: [positions('0 0, 0 0'), positions('1 1, 2 2')] }),
    ).toMatchObject({
      geometry: {
        type: 'MultiLineString',
        coordinates: [positions('1 1, 2 2')],
      },
    })
    expect(
      repairShape({
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [1, 2],
          [3, 4],
          [NaN, 0],
        ],
      }).geometry,
    ).toEqual({ type: 'MultiPoint', coordinates: positions('1 2, 3 4') })
    expect(repairShape({ type: 'Point', coordinates: [NaN, 0] })).toMatchObject({
      geometry: null,
      repairs: [{ code: 'position-not-finite' }, { code: 'nothing-left' }],
    })
    expect(repairShape({ type: 'LineString', coordinates: [[1, 1]] }).geometry).toBeNull()
  })
})

describe('arbitrary rings', () => {
  const isInRing = (ring: Position[], x: number, y: number): boolean =>
    contains([ring as [number, number][]], [x, y])
  const isInArea = (polygons: Polygons, x: number, y: number): boolean =>
    polygons.some(
      ([outer = [], ...holes]) => isInRing(outer, x, y) && !holes.some((ring) => isInRing(ring, x, y)),
    )
  const measureDistance = (ring: Position[], x: number, y: number): number => {
    let nearest = Infinity
    for (let index = 0; index + 1 < ring.length; index += 1) {
      const [[ax = 0, ay = 0] = [], [bx = 0, by = 0] = []] = [ring[index], ring[index + 1]]
      const length = (bx - ax) ** 2 + (by - ay) ** 2
      const along =
        length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
      nearest = Math.min(nearest, Math.hypot(ax + along * (bx - ax) - x, ay + along * (by - ay) - y))
    }
    return nearest
  }
  /** Whether polygons are valid after repair and contain the same samples, except near borders. */
  const isRepairedFaithfully = (
    polygons: Polygons,
    samples: [number, number][],
    { span, west, south }: { span: number; west: number; south: number },
  ): boolean => {
    const repaired = listPolygons(repairShape(multi(...polygons)).geometry)
    if (repaired.length > 0 && !isValidArea(repaired)) return false
    const rings = polygons.flat()
    return samples.every(([u, v]) => {
      const [x, y] = [west + u * span, south + v * span]
      const isNearBorder = Math.min(...rings.map((ring) => measureDistance(ring, x, y))) < span * 1e-4
      return isNearBorder || isInArea(repaired, x, y) === isInArea(polygons, x, y)
    })
  }
  const move = (polygons: Polygons, west: number, south: number): Polygons =>
    polygons.map((rings) =>
      rings.map((ring) => ring.map(([x = 0, y = 0]) => [west + x / 10, south + y / 10])),
    )
  const unit = fc.double({ min: 0, max: 1, noNaN: true })
  const samples = fc.array(fc.tuple(unit, unit), { minLength: 30, maxLength: 30 })
  const shape = (coordinate: fc.Arbitrary<number>): fc.Arbitrary<Polygons> => {
    const ring = fc
      .array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 14 })
      .map((points): Position[] => [...points, points[0] ?? [0, 0]])
    return fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  }

  it('become valid and contain the same points, anywhere in a city', () => {
    const property = fc.property(shape(unit), samples, (polygons, points) =>
      isRepairedFaithfully(move(polygons, -122.7, 45.5), points, { span: 0.1, west: -122.7, south: 45.5 }),
    )
    expect(fc.check(property, { numRuns: Number(process.env['SHAPE_RUNS'] ?? 30) })).toMatchObject({
      failed: false,
    })
  }, 60_000)

  it('become valid and contain the same points on a coarse grid, where everything touches', () => {
    const property = fc.property(shape(fc.integer({ min: 0, max: 5 })), samples, (polygons, points) =>
      isRepairedFaithfully(move(polygons, 0, 0), points, { span: 0.5, west: 0, south: 0 }),
    )
    expect(fc.check(property, { numRuns: Number(process.env['SHAPE_RUNS'] ?? 50) })).toMatchObject({
      failed: false,
    })
  }, 60_000)

  it('are unchanged by a second repair', () => {
    const property = fc.property(shape(fc.integer({ min: 0, max: 9 })), (polygons) => {
      const once = repairShape(multi(...polygons)).geometry
      if (once === null) return true
      const twice = repairShape(once)
      return twice.geometry === once && twice.repairs.length === 0
    })
    expect(fc.check(property, { numRuns: Number(process.env['SHAPE_RUNS'] ?? 20) })).toMatchObject({
      failed: false,
    })
  }, 60_000)
})

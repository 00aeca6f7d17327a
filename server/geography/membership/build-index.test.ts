import fs from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Geometry, isArea, getPolygons, type Position } from '#contract/place.ts'
import { buildIndexes } from './build-index.ts'
import { contains } from '../../../test/city/contains.ts'
import { maxCandidates } from './edge-cell-list.ts'
import type { NumberedShape } from './edge.ts'
import { findShapesAt } from './shapes-at.ts'
import { positions } from '../../../test/positions.ts'

/** Points closer than this (degrees) count as on a border, where either neighbor is correct. */
const tolerance = 1e-10

function isOnBorder(shapes: readonly NumberedShape[], [x, y]: Position): boolean {
  return shapes.some(({ rings }) =>
    rings.some((border) =>
      border.slice(1).some((b, index) => {
        const a = border[index] as Position
        const [vx, vy] = [b[0] - a[0], b[1] - a[1]]
        const along = Math.max(0, Math.min(1, ((x - a[0]) * vx + (y - a[1]) * vy) / (vx * vx + vy * vy || 1)))
        return Math.hypot(a[0] + along * vx - x, a[1] + along * vy - y) < tolerance
      }),
    ),
  )
}

const findShapesExhaustively = (shapes: readonly NumberedShape[], point: Position): number[] =>
  shapes.filter(({ rings }) => contains(rings, point)).map(({ number }) => number)

/** Returns the number of points for which the indexes and an exhaustive search differ. */
function countDifferences(shapes: NumberedShape[], points: Position[], coarseCells?: number): number {
  const indexes = buildIndexes(shapes, coarseCells)
  let differences = 0
  for (const point of points) {
    const numbers = indexes.flatMap((index) => findShapesAt(index, point[0], point[1])).sort((a, b) => a - b)
    if (numbers.join() !== findShapesExhaustively(shapes, point).join() && !isOnBorder(shapes, point))
      differences++
  }
  return differences
}

const coordinate = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((millionths) => millionths / 1e6)
const ring = fc
  .array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 9 })
  .map((points): Position[] => [...points, points[0] as Position] as Position[])
const numberShapes = (rings: Position[][]): NumberedShape[] =>
  rings.map((border, index) => ({ number: index + 1, rings: [border] }))

/** Returns the sectors of a circle around [x, 0], which meet in a point beside its center. */
const makeWedges = (x: number, radius: number, count: number): Position[][] =>
  Array.from({ length: count }, (_, k): Position[] => {
    const tip: Position = [x + 0.01 * radius, 0.02 * radius]
    const makePosition = (index: number): Position => {
      const angle = (index / count) * 2 * Math.PI
      return [x + radius * Math.cos(angle), radius * Math.sin(angle)]
    }
    return [tip, makePosition(k), makePosition(k + 1), tip]
  })

describe('indexes of shapes', () => {
  it('agree with an exhaustive search for random rings that cross themselves and each other', () => {
    fc.assert(
      fc.property(
        fc.array(ring, { minLength: 1, maxLength: 12 }),
        fc.array(fc.tuple(coordinate, coordinate), { minLength: 50, maxLength: 50 }),
        fc.constantFrom(1, 16, 400),
        (rings, points, cells) => {
          expect(countDifferences(numberShapes(rings), points as Position[], cells)).toBe(0)
        },
      ),
      { numRuns: 120 },
    )
  })

  it('agree with an exhaustive search if more shapes meet in a spot than one index supports', () => {
    const wedges = makeWedges(0, 1, 3 * maxCandidates + 2)
    const points = fc.sample(fc.tuple(coordinate, coordinate), { numRuns: 3000, seed: 1 }) as Position[]
    expect(buildIndexes(numberShapes(wedges), 64).length).toBeGreaterThan(1)
    expect(countDifferences(numberShapes(wedges), points, 64)).toBe(0)
  })

  it('are no more than the fullest spot needs', () => {
    const shapes = numberShapes(
      [-0.6, -0.3, 0, 0.3, 0.6].flatMap((x) => makeWedges(x, 0.1, 2 * maxCandidates)),
    )
    expect(buildIndexes(shapes, 64)).toHaveLength(2)
    expect(
      countDifferences(
        shapes,
        fc.sample(
          fc.tuple(
            coordinate,
            coordinate.map((y) => y / 8),
          ),
          { numRuns: 1000, seed: 1 },
        ) as Position[],
        64,
      ),
    ).toBe(0)
  })

  it('find exactly one shape for each point of a tessellation, including borders and corners', () => {
    const squares = Array.from({ length: 16 }, (_, k): Position[] => {
      const [x, y] = [(k % 4) * 0.25, Math.floor(k / 4) * 0.25]
      return [
        [x, y],
        [x + 0.25, y],
        [x + 0.25, y + 0.25],
        [x, y + 0.25],
        [x, y],
      ]
    })
    for (const cells of [1, 16, 1000]) {
      const indexes = buildIndexes(numberShapes(squares), cells)
      for (let i = 0; i < 100; i++)
        for (let j = 0; j < 100; j++)
          expect(indexes.flatMap((index) => findShapesAt(index, i / 100, j / 100))).toHaveLength(1)
    }
  })

  it('find no shapes for points outside and invalid points', () => {
    const [index] = buildIndexes(numberShapes([positions('0 0, 1 0, 1 1, 0 0')]))
    for (const [x, y] of [
      [NaN, NaN],
      [Infinity, 0],
      [5, 5],
      [NaN, 0.5],
    ] as Position[])
      expect(index && findShapesAt(index, x, y)).toEqual([])
    expect(buildIndexes([])).toEqual([])
    expect(buildIndexes([{ number: 1, rings: [positions('1 1, 1 1')] }])).toEqual([])
  })
})

const real = '../shared/data/portland/geo/neighborhoods.geojson'
describe.skipIf(!fs.existsSync(real))('for a real city (skipped if ../shared/data does not exist)', () => {
  it('agrees for 200,000 points in 63 neighborhoods', () => {
    const { features } = JSON.parse(fs.readFileSync(real, 'utf8')) as { features: { geometry: Geometry }[] }
    const shapes = features.map(({ geometry }, index) => ({
      number: index + 1,
      rings: isArea(geometry) ? getPolygons(geometry).flat() : [],
    }))
    const indexes = buildIndexes(shapes)
    // Boxes exclude most shapes. Testing all rings for each point would take most of a minute.
    const boxed = shapes.map((shape) => {
      const [xs, ys] = [0, 1].map((axis) =>
        shape.rings.flat().map((position) => position[axis] as number),
      ) as [number[], number[]]
      return {
        shape,
        west: Math.min(...xs),
        east: Math.max(...xs),
        south: Math.min(...ys),
        north: Math.max(...ys),
      }
    })
    const findShapesByBox = ([x, y]: Position): NumberedShape[] =>
      boxed
        .filter(({ west, east, south, north }) => x >= west && x <= east && y >= south && y <= north)
        .map(({ shape }) => shape)
    // The generator of Park and Miller.
    let seed = 7
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647
    let differences = 0
    for (let k = 0; k < 200_000; k++) {
      const point: Position = [-122.84 + 0.38 * random(), 45.43 + 0.23 * random()]
      const numbers = indexes
        .flatMap((index) => findShapesAt(index, point[0], point[1]))
        .sort((a, b) => a - b)
      if (numbers.join() !== findShapesExhaustively(findShapesByBox(point), point).join()) differences++
    }
    expect(differences).toBe(0)
  }, 120_000)
})

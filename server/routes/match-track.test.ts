import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../test/city/random.ts'
import { matchTrack } from './match-track.ts'
import { buildStreetGrid } from './street-grid.ts'
import { makeStreetSegments } from './street-segments.ts'

const lat0 = 45
const perLat = 1 / 111_195
const perLon = perLat / Math.cos((lat0 * Math.PI) / 180)
/** Streets every 100 m in both directions. */
const side = 12
const place = (column: number, row: number): [number, number] => [
  column * 100 * perLon,
  lat0 + row * 100 * perLat,
]
const lines = Array.from({ length: side }, (_, index) => [
  { shapeUuid: `ew${index}`, coordinates: Array.from({ length: side }, (_, column) => place(column, index)) },
  { shapeUuid: `ns${index}`, coordinates: Array.from({ length: side }, (_, row) => place(index, row)) },
]).flat()
const grid = buildStreetGrid(makeStreetSegments(lines), lat0)

/** Returns the segment between two neighboring crossings, and the direction in which it is drawn. */
const findSegment = (a: readonly [number, number], b: readonly [number, number]) => {
  const same = (p: readonly number[] | undefined, [column, row]: readonly [number, number]): boolean =>
    Math.hypot(
      ((p?.[0] ?? 0) - place(column, row)[0]) / perLon,
      ((p?.[1] ?? 0) - place(column, row)[1]) / perLat,
    ) < 1
  const segment = grid.segments.findIndex(
    ({ coordinates }) =>
      (same(coordinates[0], a) && same(coordinates[1], b)) ||
      (same(coordinates[0], b) && same(coordinates[1], a)),
  )
  return { segment, direction: same(grid.segments[segment]?.coordinates[0], a) ? 1 : -1 }
}

/**
 * Returns a trip along crossings as a GPS receiver reports it: a position at each interval, with an error up
 * to a limit.
 */
function ride(
  crossings: readonly (readonly [number, number])[],
  everyMeters: number,
  noise: number,
  seed: number,
) {
  const next = createRandom(seed)
  const points: [number, number][] = []
  crossings.slice(1).forEach((to, index) => {
    const from = crossings[index] as readonly [number, number]
    for (let meters = 0; meters < 100; meters += everyMeters)
      points.push([from[0] * 100 + (to[0] - from[0]) * meters, from[1] * 100 + (to[1] - from[1]) * meters])
  })
  const [column, row] = crossings.at(-1) as readonly [number, number]
  points.push([column * 100, row * 100])
  const noisy = points.map(([x, y]): [number, number] => [
    x + (next() - 0.5) * 2 * noise,
    y + (next() - 0.5) * 2 * noise,
  ])
  return {
    x: Float64Array.from(noisy, ([x]) => grid.plane.x(x * perLon)),
    y: Float64Array.from(noisy, ([, y]) => grid.plane.y(lat0 + y * perLat)),
  }
}

describe('matchTrack', () => {
  it('returns streets in order, with the direction, around corners', () => {
    const crossings = [
      [1, 1],
      [2, 1],
      [3, 1],
      [3, 2],
      [3, 3],
      [2, 3],
    ] as const
    expect(matchTrack(grid, ride(crossings, 10, 0, 1))).toEqual(
      crossings.slice(1).map((to, index) => findSegment(crossings[index] as readonly [number, number], to)),
    )
  })

  it('returns the opposite direction for the way back', () => {
    const crossings = [
      [1, 1],
      [2, 1],
      [1, 1],
    ] as const
    expect(matchTrack(grid, ride(crossings, 10, 0, 1))).toEqual([
      findSegment([1, 1], [2, 1]),
      findSegment([2, 1], [1, 1]),
    ])
  })

  it('returns none far from streets or without movement', () => {
    const far = { x: Float64Array.of(1e6, 1e6 + 100), y: Float64Array.of(1e6, 1e6) }
    expect(matchTrack(grid, far)).toEqual([])
    expect(
      matchTrack(grid, {
        x: Float64Array.of(5, 5),
        y: Float64Array.of(grid.plane.y(lat0), grid.plane.y(lat0)),
      }),
    ).toEqual([])
  })

  it('matches nearly all segments correctly with a position each 40 m and errors up to 8 m', () => {
    const anyRoute = fc.tuple(
      fc.integer({ min: 2, max: 8 }),
      fc.integer({ min: 2, max: 8 }),
      fc.array(fc.constantFrom('right', 'left', 'on', 'on' as const), { minLength: 4, maxLength: 14 }),
      fc.integer(),
    )
    let correctCount = 0
    let expectedCount = 0
    let extraCount = 0
    fc.assert(
      fc.property(anyRoute, ([column, row, turns, seed]) => {
        const crossings: [number, number][] = [[column, row]]
        let [dx, dy] = [1, 0]
        for (const turn of turns) {
          if (turn !== 'on') [dx, dy] = turn === 'right' ? [dy, -dx] : [-dy, dx]
          const [x, y] = crossings.at(-1) as [number, number]
          if (x + dx < 0 || y + dy < 0 || x + dx >= side || y + dy >= side) break
          crossings.push([x + dx, y + dy])
        }
        if (crossings.length < 3) return
        const expected = new Set(
          crossings
            .slice(1)
            .map((to, index) => findSegment(crossings[index] as [number, number], to).segment),
        )
        const matched = new Set(matchTrack(grid, ride(crossings, 40, 8, seed)).map(({ segment }) => segment))
        expectedCount += expected.size
        correctCount += [...expected].filter((segment) => matched.has(segment)).length
        extraCount += [...matched].filter((segment) => !expected.has(segment)).length
      }),
      { numRuns: 300, seed: 4870 },
    )
    expect(correctCount / expectedCount).toBeGreaterThan(0.97)
    expect(extraCount / expectedCount).toBeLessThan(0.05)
  })
})

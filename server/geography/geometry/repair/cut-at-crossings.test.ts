import type { Position } from 'geojson'
import { describe, expect, it } from 'vitest'
import { cutAtCrossings, findMeetings } from './cut-at-crossings.ts'
import { makeSquare, positions } from '../../../../test/positions.ts'

const formatEdges = (edges: Position[][]): string[] => edges.map((edge) => edge.join(' ')).sort()

describe('cutAtCrossings', () => {
  it('does not cut a simple ring', () => {
    expect(cutAtCrossings([makeSquare(0, 0, 1)], null)).toEqual([makeSquare(0, 0, 1)])
  })

  it('cuts both edges where they cross', () => {
    expect(formatEdges(cutAtCrossings([positions('0 0, 2 2, 2 0, 0 2, 0 0')], null))).toEqual([
      '0,0 1,1',
      '1,1 0,2 0,0',
      '1,1 2,2 2,0 1,1',
    ])
  })

  it('returns a shared border once', () => {
    const edges = cutAtCrossings([makeSquare(0, 0, 1), makeSquare(1, 0, 1)], null)
    const shared = edges.filter((edge) => edge.every(([x]) => x === 1))
    expect(shared).toHaveLength(1)
  })

  it('cuts where a vertex is on another edge and where edges overlap', () => {
    const edges = formatEdges(
      cutAtCrossings([makeSquare(0, 0, 4), positions('4 1, 6 1, 6 2, 4 2, 4 1')], null),
    )
    expect(edges).toEqual(['0,0 4,0 4,1', '4,1 6,1 6,2 4,2', '4,2 4,1', '4,2 4,4 0,4 0,0'])
  })

  it('does not connect the end of a ring to the start of the next', () => {
    const rings = [makeSquare(0, 0, 2), makeSquare(1, 1, 2), makeSquare(5, 5, 1)]
    expect(cutAtCrossings(rings, null).flat(2).every(Number.isFinite)).toBe(true)
    expect(formatEdges(cutAtCrossings(rings, null)).filter((text) => text.includes('5,5'))).toHaveLength(1)
  })

  it('snaps to a grid', () => {
    const edges = cutAtCrossings([positions('0 0, 3 1.04, 3 0, 0 1, 0 0')], 0.1)
    for (const value of edges.flat(2))
      expect(Math.abs(value * 10 - Math.round(value * 10))).toBeLessThan(1e-9)
  })
})

const listMeetings = (...edges: number[]): number[][] =>
  findMeetings(Float64Array.from(edges), 0, 1).map(({ x, y }) => [x, y])

it.each([
  ['cross', [0, 0, 2, 2, 0, 2, 2, 0], [[1, 1]]],
  ['end on another', [0, 0, 2, 0, 1, 0, 1, 1], [[1, 0]]],
  ['share an end at an angle', [0, 0, 1, 0, 1, 0, 1, 1], [[1, 0]]],
  ['share a start at an angle', [0, 0, 1, 0, 0, 0, 1, 1], [[0, 0]]],
  ['follow each other straight on', [0, 0, 1, 0, 1, 0, 2, 0], [[1, 0]]],
  ['run back', [0, 0, 2, 0, 2, 0, 1, 0], positions('1 0, 2 0')],
  ['are the same', [0, 0, 2, 0, 2, 0, 0, 0], positions('0 0, 2 0')],
  ['are collinear and disjoint', [0, 0, 1, 0, 2, 0, 3, 0], []],
  ['are parallel', [0, 0, 1, 1, 0, 0.1, 1, 1.1], []],
  ['have boxes that overlap', [0, 0, 4, 4, 2, 0, 3, 1], []],
  // Separated by the last bit: requires an exact test.
  ['miss by a rounding error', [0, 0, 1, 1, 0.5, 0.5000000000000001, 0, 1], []],
])('edges that %s', (_, edges, expected) => {
  expect(listMeetings(...edges).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual(expected)
})

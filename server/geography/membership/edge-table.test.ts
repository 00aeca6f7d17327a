import { expect, test } from 'vitest'
import { collectEdges, EdgeTable } from './edge-table.ts'
import { positions } from '../../../test/positions.ts'

test('An edge table finds an edge by its ends, also after the table has grown, and treats 0 and -0 as equal', () => {
  const table = new EdgeTable()
  const added = Array.from({ length: 5000 }, (_, i) => table.getOrAdd(i / 7, -i, i, i / 3))
  expect(new Set(added).size).toBe(5000)
  expect(added.every((edge, i) => table.getOrAdd(i / 7, -i, i, i / 3) === edge)).toBe(true)
  expect(table.edges).toHaveLength(5000)
  expect(table.getOrAdd(-0, 0, 0, -0)).toBe(added[0])
})

test('An edge table has one edge for a border that neighbors share, and none for a segment that a shape contains twice', () => {
  const box = (west: number): [number, number][] => [
    [west, 0],
    [west + 1, 0],
    [west + 1, 1],
    [west, 1],
    [west, 0],
  ]
  const edges = collectEdges([
    { number: 1, rings: [box(0)] },
    { number: 2, rings: [box(1)] },
    { number: 3, rings: [positions('5 5, 6 6, 5 5')] },
  ])
  expect(edges.map(({ shapes }) => shapes.join()).toSorted()).toEqual(['1', '1', '1', '1,2', '2', '2', '2'])
})

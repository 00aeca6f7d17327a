import { expect, it } from 'vitest'
import { collectEdges, EdgeTable } from './edge-table.ts'

it('finds an edge by its ends, also after it has grown, and takes both zeros for one', () => {
  const table = new EdgeTable()
  const made = Array.from({ length: 5000 }, (_, at) => table.between(at / 7, -at, at, at / 3))
  expect(new Set(made).size).toBe(5000)
  expect(made.every((edge, at) => table.between(at / 7, -at, at, at / 3) === edge)).toBe(true)
  expect(table.edges).toHaveLength(5000)
  expect(table.between(-0, 0, 0, -0)).toBe(made[0])
})

it('keeps a border that neighbors share once, with both, and none that a shape walks twice', () => {
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
    {
      number: 3,
      rings: [
        [
          [5, 5],
          [6, 6],
          [5, 5],
        ],
      ],
    },
  ])
  expect(edges.map(({ shapes }) => shapes.join()).toSorted()).toEqual(['1', '1', '1', '1,2', '2', '2', '2'])
})

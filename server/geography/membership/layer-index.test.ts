import { expect, test } from 'vitest'
import type { Position } from '#contract/place.ts'
import { buildIndexes } from './build-index.ts'
import { listBuffers, countEdgeCells, countFaces, getShapesOfFace } from './layer-index.ts'
import { findShapesAt } from './shapes-at.ts'

const box = (west: number): Position[] => [
  [west, 0],
  [west + 1, 0],
  [west + 1, 1],
  [west, 1],
  [west, 0],
]
const build = () =>
  buildIndexes(
    [
      { number: 1, rings: [box(0)] },
      { number: 2, rings: [box(0.5)] },
    ],
    64,
  )

test('A layer index is transferred to another thread without copying, and returns the same shapes there', () => {
  const indexes = build()
  const moved = structuredClone(indexes, { transfer: listBuffers(indexes) })
  expect(
    indexes.map(({ codes, faceShapes, edgeCells }) =>
      [codes, faceShapes, ...Object.values(edgeCells)].reduce(
        (sum: number, { byteLength }) => sum + byteLength,
        0,
      ),
    ),
  ).toEqual([0])
  for (const [x, shapes] of [
    [0.2, [1]],
    [0.7, [1, 2]],
    [1.2, [2]],
    [1.7, []],
  ] as const)
    expect(moved.flatMap((index) => findShapesAt(index, x, 0.4))).toEqual(shapes)
})

test('A layer index stores faces of the same candidates only once', () => {
  const [index] = build()
  if (!index) throw new Error('There is no index')
  expect(countEdgeCells(index)).toBeGreaterThan(50)
  expect(index.edgeCells.faces.length).toBeLessThan(countEdgeCells(index))
  expect(
    Array.from({ length: countFaces(index) }, (_, face) => getShapesOfFace(index, face).join()).toSorted(),
  ).toEqual(['', '1', '1,2', '2'])
})

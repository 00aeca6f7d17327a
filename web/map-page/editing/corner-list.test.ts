import { expect, it } from 'vitest'
import { addCorner, getCorners, moveCorner, removeCorner } from './corner-list.tsx'

const ring = {
  id: '0:0',
  kind: 'outline' as const,
  positions: [
    [0, 0],
    [2, 0],
    [2, 2],
    [0, 0],
  ] as [number, number][],
}
const line = {
  id: '0:0',
  kind: 'line' as const,
  positions: [
    [0, 0],
    [2, 0],
  ] as [number, number][],
}

it('keeps a ring closed when its corners are moved, removed or added', () => {
  expect(getCorners(ring)).toHaveLength(3)
  expect(moveCorner(ring, 0, [1, 1])).toEqual([
    [1, 1],
    [2, 0],
    [2, 2],
    [1, 1],
  ])
  expect(removeCorner(ring, 0)).toEqual([
    [2, 0],
    [2, 2],
    [2, 0],
  ])
  expect(addCorner(ring, 2)).toEqual([
    [0, 0],
    [2, 0],
    [2, 2],
    [1, 1],
    [0, 0],
  ])
})

it('extends a line at its end', () => {
  expect(moveCorner(line, 1, [3, 3])).toEqual([
    [0, 0],
    [3, 3],
  ])
  expect(addCorner(line, 0)).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
  ])
  expect(addCorner(line, 1)).toEqual([
    [0, 0],
    [2, 0],
    [3, 0],
  ])
  expect(removeCorner(line, 0)).toEqual([[2, 0]])
})

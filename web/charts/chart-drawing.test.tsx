import { expect, it } from 'vitest'
import { findNextPoint } from './chart-drawing.tsx'

const makeKeyFrom = (index: number, count: number, rowLength: number) => (key: string) =>
  findNextPoint(index, key, count, rowLength)

it('moves along a row, and stops at both ends', () => {
  expect(['ArrowRight', 'ArrowUp', 'End'].map(makeKeyFrom(3, 4, 4))).toEqual([3, 3, 3])
  expect(['ArrowLeft', 'ArrowDown', 'Home', 'ArrowRight'].map(makeKeyFrom(0, 4, 4))).toEqual([0, 0, 0, 1])
})
it('moves between rows, but not beyond them', () => {
  expect(['ArrowDown', 'ArrowUp', 'ArrowLeft'].map(makeKeyFrom(25, 168, 24))).toEqual([49, 1, 24])
  expect(['ArrowDown', 'ArrowUp'].map(makeKeyFrom(160, 168, 24))).toEqual([160, 136])
})
it('ignores other keys', () =>
  expect(['Tab', 'a', 'toString'].map(makeKeyFrom(0, 4, 4))).toEqual([null, null, null]))

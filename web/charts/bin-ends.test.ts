import { expect, it } from 'vitest'
import { binEnds } from './bin-ends.ts'

const bins = [
  { from: 1, to: 3, count: 2 },
  { from: 5, to: 5, count: 1 },
  { from: 10, to: 72, count: 4 },
]

it('ends bins of whole numbers one below the next bin', () =>
  expect(binEnds(bins, true)).toEqual([
    { from: 1, to: 4 },
    { from: 5, to: 9 },
    { from: 10, to: 72 },
  ]))
it('ends bins of other numbers where the next bin begins', () =>
  expect(binEnds(bins, false)).toEqual([
    { from: 1, to: 5 },
    { from: 5, to: 10 },
    { from: 10, to: 72 },
  ]))
it('does not change bins of a single value', () =>
  expect(
    binEnds(
      [
        { from: 2, to: 2 },
        { from: 9, to: 9 },
      ],
      true,
    ),
  ).toEqual([
    { from: 2, to: 2 },
    { from: 9, to: 9 },
  ]))

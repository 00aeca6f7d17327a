import { expect, it } from 'vitest'
import { computeBinEnds, computeLimitDigits } from './bin-ends.ts'

const bins = [
  { from: 1, to: 3, count: 2 },
  { from: 5, to: 5, count: 1 },
  { from: 10, to: 72, count: 4 },
]

it('ends bins of whole numbers one below the next bin', () =>
  expect(computeBinEnds(bins, true)).toEqual([
    { from: 1, to: 4 },
    { from: 5, to: 9 },
    { from: 10, to: 72 },
  ]))
it('ends bins of other numbers where the next bin begins', () =>
  expect(computeBinEnds(bins, false)).toEqual([
    { from: 1, to: 5 },
    { from: 5, to: 10 },
    { from: 10, to: 72 },
  ]))
it('does not change bins of a single value', () =>
  expect(
    computeBinEnds(
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

it('has as many decimals as neighboring limits need to differ', () => {
  const getDigits = (limits: number[], digits = 1) => [
    ...computeLimitDigits(
      limits.map((limit) => ({ from: limit, to: limit })),
      digits,
    ).values(),
  ]
  expect(getDigits([0.3, 2, 12.34])).toEqual([1, 1, 1])
  // With one decimal, values below 0.1 are shown as 0.1.
  expect(getDigits([0.02, 0.05, 0.12, 3])).toEqual([2, 2, 2, 1])
  // With two decimals, the lowest limit would be shown as 0.
  expect(getDigits([0.004, 0.02])).toEqual([3, 3])
  expect(getDigits([0.04, 5])).toEqual([1, 1])
  expect(getDigits([1.21, 1.24, 9])).toEqual([2, 2, 1])
  expect(getDigits([0.3, 0.1 + 0.2])).toEqual([1, 1])
})

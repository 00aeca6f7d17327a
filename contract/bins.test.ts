import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findBinIndex, computeQuantileBins } from './bins.ts'

const listLowerBounds = (values: number[]) => computeQuantileBins(values).map((bin) => bin.from)
const listNumbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

describe('computeQuantileBins', () => {
  it('returns no bin for no values', () => expect(computeQuantileBins([])).toEqual([]))
  it('makes one bin for one value', () =>
    expect(computeQuantileBins([12])).toEqual([{ from: 12, to: 12, count: 1 }]))
  it('makes one bin for all zeros', () =>
    expect(computeQuantileBins([0, 0, 0])).toEqual([{ from: 0, to: 0, count: 3 }]))
  it('ignores values that are not finite', () =>
    expect(computeQuantileBins([Number.NaN, 3, Number.POSITIVE_INFINITY])).toEqual([
      { from: 3, to: 3, count: 1 },
    ]))
  it('makes a bin for each of a few distinct values', () => {
    expect(computeQuantileBins([5, 1, 5, 3, 1])).toEqual([
      { from: 1, to: 1, count: 2 },
      { from: 3, to: 3, count: 1 },
      { from: 5, to: 5, count: 2 },
    ])
  })
  it('breaks at round numbers', () => {
    const values = Array.from({ length: 90 }, (_, index) => Math.round(3 * 1.08 ** index) + index)
    for (const from of listLowerBounds(values).slice(1)) expect(Number(from.toPrecision(2))).toBe(from)
  })
  it('distributes values evenly', () => {
    for (const bin of computeQuantileBins(listNumbersTo(700)))
      expect(Math.abs(bin.count - 100)).toBeLessThanOrEqual(30)
  })
  it('returns seven bins when most values are tied', () => {
    const bins = computeQuantileBins([...Array.from({ length: 80 }, () => 1), ...listNumbersTo(20)])
    expect(bins).toHaveLength(7)
    expect(bins[0]).toEqual({ from: 1, to: 1, count: 81 })
  })
  it('rounds small and negative numbers without residue', () => {
    expect(
      listLowerBounds([0.11, 0.32, 0.33, 0.34, 0.5, 0.6, 0.7, 0.8, 0.9])
        .map(String)
        .every((text) => text.length <= 4),
    ).toBe(true)
    expect(listLowerBounds([-3, -2, -1, 0, 1, 2, 3])).toEqual([-3, -2, -1, 0, 1, 2, 3])
  })
  it('finds for every value the bin that counts it', () => {
    const number = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.double({ min: -1e6, max: 1e6, noNaN: true }))
    fc.assert(
      fc.property(fc.array(number, { maxLength: 120 }), fc.integer({ min: 1, max: 9 }), (numbers, most) => {
        const values = numbers.map((value) => value + 0)
        const bins = computeQuantileBins(values, most)
        expect(bins).toHaveLength(Math.min(most, new Set(values).size))
        const counts = bins.map(() => 0)
        for (const value of values) counts[findBinIndex(value, bins)]!++
        expect(counts).toEqual(bins.map((bin) => bin.count))
        expect(
          bins.every(
            (bin, index) =>
              bin.count > 0 && bin.from <= bin.to && (index === 0 || bin.from > bins[index - 1]!.to),
          ),
        ).toBe(true)
      }),
    )
  })
})

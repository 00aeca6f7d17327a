import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildAliasTable } from './alias-table.ts'
import { drawIndex } from './rider.ts'

const weights = fc
  .array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1, maxLength: 60 })
  .filter((weights) => weights.some((weight) => weight > 1e-3))

/** Returns the probability of each index, summed over the slots of the table. */
function computeShares({ probability, alias }: ReturnType<typeof buildAliasTable>): number[] {
  const found = Array.from(probability, () => 0)
  probability.forEach((share, slot) => {
    found[slot]! += share / probability.length
    found[alias[slot]!]! += (1 - share) / probability.length
  })
  return found
}

describe('buildAliasTable', () => {
  it('gives each index the share of its weight', () => {
    fc.assert(
      fc.property(weights, (weights) => {
        const sum = weights.reduce((total, weight) => total + weight)
        computeShares(buildAliasTable(weights)).forEach((share, i) =>
          expect(share).toBeCloseTo(weights[i]! / sum, 5),
        )
      }),
    )
  })

  it('the scale of the weights does not change the table', () => {
    const weights = [3, 1, 0, 4]
    expect(buildAliasTable(weights.map((weight) => weight * 1e-9))).toEqual(buildAliasTable(weights))
  })

  it('accepts typed arrays and a single weight', () => {
    expect(computeShares(buildAliasTable(Float64Array.of(1, 3)))).toEqual([0.25, 0.75])
    expect(computeShares(buildAliasTable([0.001]))).toEqual([1])
  })
})

describe('drawIndex', () => {
  it('draws each index with its probability', () => {
    fc.assert(
      fc.property(weights, (weights) => {
        const table = buildAliasTable(weights)
        const expected = computeShares(table)
        const counts = weights.map(() => 0)
        const draws = weights.length * 200
        for (let i = 0; i < draws; i++) counts[drawIndex(table, (i + 0.5) / draws)]!++
        // Of the 200 draws that fall into a slot, at most one is off at the threshold of the slot.
        counts.forEach((count, i) => expect(Math.abs(count / draws - expected[i]!)).toBeLessThan(0.011))
      }),
      { numRuns: 40 },
    )
  })

  it('returns a valid index at both ends', () => {
    const table = buildAliasTable([1, 1, 1])
    expect([drawIndex(table, 0), drawIndex(table, 1 - 2 ** -53)]).toEqual([0, 2])
  })
})

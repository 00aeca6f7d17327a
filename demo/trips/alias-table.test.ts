import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aliasTable } from './alias-table.ts'
import { drawIndex } from './rider.ts'

const weights = fc
  .array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1, maxLength: 60 })
  .filter((list) => list.some((weight) => weight > 1e-3))

/** What the table gives each index, added up over its slots. */
function shares({ keep, other }: ReturnType<typeof aliasTable>): number[] {
  const found = Array.from(keep, () => 0)
  keep.forEach((share, slot) => {
    found[slot]! += share / keep.length
    found[other[slot]!]! += (1 - share) / keep.length
  })
  return found
}

describe('aliasTable', () => {
  it('gives each index the share of its weight', () => {
    fc.assert(
      fc.property(weights, (list) => {
        const sum = list.reduce((total, weight) => total + weight)
        shares(aliasTable(list)).forEach((share, i) => expect(share).toBeCloseTo(list[i]! / sum, 5))
      }),
    )
  })

  it('does not care for the scale of the weights', () => {
    const list = [3, 1, 0, 4]
    expect(aliasTable(list.map((weight) => weight * 1e-9))).toEqual(aliasTable(list))
  })

  it('takes typed arrays, and a single weight', () => {
    expect(shares(aliasTable(Float64Array.of(1, 3)))).toEqual([0.25, 0.75])
    expect(shares(aliasTable([0.001]))).toEqual([1])
  })
})

describe('drawIndex', () => {
  it('draws what the table says when asked evenly', () => {
    fc.assert(
      fc.property(weights, (list) => {
        const table = aliasTable(list)
        const expected = shares(table)
        const counts = list.map(() => 0)
        const draws = list.length * 200
        for (let i = 0; i < draws; i++) counts[drawIndex(table, (i + 0.5) / draws)]!++
        // Of the two hundred draws that fall to a slot at most one is misplaced where the slot is parted.
        counts.forEach((count, i) => expect(Math.abs(count / draws - expected[i]!)).toBeLessThan(0.011))
      }),
      { numRuns: 40 },
    )
  })

  it('stays within the table at both ends', () => {
    const table = aliasTable([1, 1, 1])
    expect([drawIndex(table, 0), drawIndex(table, 1 - 2 ** -53)]).toEqual([0, 2])
  })
})

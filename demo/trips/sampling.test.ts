import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashNumbers, createRandom } from '../hash-numbers.ts'
import { buildAliasTable } from './alias-table.ts'
import { drawIndex } from './rider.ts'

describe('an alias table', () => {
  it('draws in proportion to the weights', () => {
    const weights = [1, 0, 4, 2.5, 0.5]
    const table = buildAliasTable(weights)
    const random = createRandom(5)
    const counts = weights.map(() => 0)
    for (let i = 0; i < 80_000; i++) counts[drawIndex(table, random())]!++
    weights.forEach((weight, i) => expect(counts[i]! / 80_000).toBeCloseTo(weight / 8, 2))
    expect(counts[1]).toBe(0)
  })

  it('an alias table never draws an index with weight 0', () => {
    const weights = fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 40 })
      .filter((list) => list.some((weight) => weight > 0))
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 0.999999, noNaN: true }), (list, random) => {
        expect(list[drawIndex(buildAliasTable(list), random)]).toBeGreaterThan(0)
      }),
    )
  })
})

describe('random numbers', () => {
  it('random numbers are deterministic for a seed and in [0, 1)', () => {
    const [a, b, c] = [createRandom(1), createRandom(1), createRandom(2)]
    const drawn = Array.from({ length: 1000 }, () => a())
    expect(Array.from({ length: 1000 }, () => b())).toEqual(drawn)
    expect(Array.from({ length: 1000 }, () => c())).not.toEqual(drawn)
    expect(drawn.every((value) => value >= 0 && value < 1)).toBe(true)
    expect(drawn.reduce((sum, value) => sum + value) / 1000).toBeCloseTo(0.5, 1)
  })

  it('random numbers are hashed evenly and depend on all three inputs', () => {
    const bits = Array.from({ length: 4000 }, (_, i) => hashNumbers(1, i, 2) / 4294967296)
    expect(bits.reduce((sum, value) => sum + value) / 4000).toBeCloseTo(0.5, 1)
    expect(
      new Set([hashNumbers(1, 2, 3), hashNumbers(3, 2, 1), hashNumbers(2, 1, 3), hashNumbers(1, 3, 2)]).size,
    ).toBe(4)
  })
})

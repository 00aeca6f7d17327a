import { describe, expect, it } from 'vitest'
import { testEvaluation } from '../test-evaluation.ts'
import { compareValues, compareEvaluations } from './compare-evaluations.ts'

describe('compareValues', () => {
  it('returns the difference, and its percentage of the earlier value', () => {
    expect(compareValues(30, 20)).toEqual({ now: 30, before: 20, change: 10, percent: 50 })
    expect(compareValues(5, 20)).toMatchObject({ change: -15, percent: -75 })
  })
  it('returns no percentage of zero, and no change of unknown values', () => {
    expect(compareValues(3, 0)).toMatchObject({ change: 3, percent: null })
    expect(compareValues(null, 4)).toEqual({ now: null, before: 4, change: null, percent: null })
  })
})

it('compares each shape, and the value outside of all shapes', () => {
  const compared = compareEvaluations(testEvaluation({ a: 30, b: 10 }, 4), testEvaluation({ b: 5, a: 30 }, 8))
  expect(compared.rows.map((row) => row.compared?.change)).toEqual([0, 5])
  expect(compared.byShape.get('b')?.compared).toEqual({ now: 10, before: 5, change: 5, percent: 100 })
  expect(compared.notInShape?.compared?.change).toBe(-4)
  expect(compareEvaluations(testEvaluation({ a: 1 }), testEvaluation({})).rows[0]?.compared).toMatchObject({
    before: null,
    change: null,
  })
})

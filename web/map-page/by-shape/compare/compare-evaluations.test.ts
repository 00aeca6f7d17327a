import { describe, expect, it } from 'vitest'
import { anEvaluation } from '../test-evaluation.ts'
import { changeOf, compareEvaluations } from './compare-evaluations.ts'

describe('changeOf', () => {
  it('is the difference, and its percent of the value before', () => {
    expect(changeOf(30, 20)).toEqual({ now: 30, before: 20, change: 10, percent: 50 })
    expect(changeOf(5, 20)).toMatchObject({ change: -15, percent: -75 })
  })
  it('has no percent of zero, and no change of unknown values', () => {
    expect(changeOf(3, 0)).toMatchObject({ change: 3, percent: null })
    expect(changeOf(null, 4)).toEqual({ now: null, before: 4, change: null, percent: null })
  })
})

it('compares shape by shape, and what is outside of all shapes', () => {
  const compared = compareEvaluations(anEvaluation({ a: 30, b: 10 }, 4), anEvaluation({ b: 5, a: 30 }, 8))
  expect(compared.rows.map((row) => row.compared?.change)).toEqual([0, 5])
  expect(compared.byShape.get('b')?.compared).toEqual({ now: 10, before: 5, change: 5, percent: 100 })
  expect(compared.notInShape?.compared?.change).toBe(-4)
  expect(compareEvaluations(anEvaluation({ a: 1 }), anEvaluation({})).rows[0]?.compared).toMatchObject({
    before: null,
    change: null,
  })
})

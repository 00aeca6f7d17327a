import { expect, it } from 'vitest'
import { compareEvaluations } from './compare/compare-evaluations.ts'
import { totalRow } from './results-table.tsx'
import { testEvaluation } from './test-evaluation.ts'

it('adds up rows, with counts and the change', () => {
  const evaluation = testEvaluation({ a: 3, b: 1 }, 2)
  expect(totalRow(evaluation)).toMatchObject({ value: 6, counts: {} })
  const counted = { ...evaluation, rows: evaluation.rows.map((row) => ({ ...row, counts: { orig: 2 } })) }
  expect(totalRow(counted)?.counts).toEqual({ orig: 4 })
  const compared = compareEvaluations(evaluation, testEvaluation({ a: 1, b: 1 }, 1))
  expect(totalRow(compared)?.compared).toEqual({ now: 6, before: 3, change: 3, percent: 100 })
})

it('has no total of overlapping shapes or means', () => {
  const evaluation = testEvaluation({ a: 3 })
  expect(totalRow({ ...evaluation, sum: { ...evaluation.sum!, kind: 'overlaps' } })).toBeNull()
  expect(totalRow({ ...evaluation, sum: null })).toBeNull()
})

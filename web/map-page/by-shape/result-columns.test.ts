import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import kit from '#web/kit/kit.en.json' with { type: 'json' }
import evaluation from '#web/evaluation/evaluation.en.json' with { type: 'json' }
import { compareEvaluations } from './compare/compare-evaluations.ts'
import { mapModes } from '#web/evaluation/modes/map-modes.ts'
import { getComparedColumns, getCountColumns, valueColumn } from './result-columns.ts'
import { testEvaluation } from './test-evaluation.ts'

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { kit, evaluation } } }))

const withCounts = (counts: Record<string, number>) => ({
  rows: testEvaluation({ a: 3, b: 1 }).rows.map((row, index) => (index === 0 ? { ...row, counts } : row)),
})

describe('columns of a map without a comparison', () => {
  it('are those of operators by name, then those of the mode in the response', () => {
    const { rows } = withCounts({ 'operator:zeta': 2, available: 1.25, 'operator:alpha': 1, something: 9 })
    const columns = getCountColumns(i18next.t, mapModes.distribution, { rows }, [
      { slug: 'zeta', name: 'Bolt' },
    ])
    expect(columns.map(({ title }) => title)).toEqual(['Bolt', 'Unknown Operator', 'Available'])
    expect(columns.map((column) => column.value(rows[0]!))).toEqual([2, 1, 1.25])
    // An operator without a count in a shape has zero there.
    expect(columns.map((column) => column.renderCell?.(rows[1]!))).toEqual(['0', '0', '0'])
  })
  it('are none if the response has only values', () =>
    expect(getCountColumns(i18next.t, mapModes.trips, withCounts({}), [])).toEqual([]))
})

it('valueColumn has the unit in its title', () => {
  const column = valueColumn(i18next.t, 'trips', 'trips')
  expect([
    column.title,
    column.value(testEvaluation({ a: 1234 }).rows[0]!),
    column.renderCell?.(testEvaluation({ a: 1234 }).rows[0]!),
  ]).toEqual(['Value (trips)', 1234, '1,234'])
})

it('columns of a comparison show both values, the difference and its percentage', () => {
  const row = compareEvaluations(testEvaluation({ a: 15 }), testEvaluation({ a: 20 })).rows[0]!
  const columns = getComparedColumns(i18next.t, 'trips', 'trips', { now: 'May', before: 'April' })
  expect(columns.map(({ title }) => title)).toEqual([
    'May (trips)',
    'April (trips)',
    'Change (trips)',
    'Change (%)',
  ])
  expect(columns.map((column) => column.renderCell?.(row))).toEqual(['15', '20', '-5', '-25'])
  expect(columns.map((column) => column.value(row))).toEqual([15, 20, -5, -25])
})

import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import kit from '#web/kit/kit.en.json' with { type: 'json' }
import evaluation from '#web/evaluation/evaluation.en.json' with { type: 'json' }
import { compareEvaluations } from './compare/compare-evaluations.ts'
import { mapModes } from '#web/evaluation/modes/map-modes.ts'
import { comparedColumns, countColumns, valueColumn } from './result-columns.ts'
import { anEvaluation } from './test-evaluation.ts'

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { kit, evaluation } } }))

const withCounts = (counts: Record<string, number>) => ({
  rows: anEvaluation({ a: 3, b: 1 }).rows.map((row, at) => (at === 0 ? { ...row, counts } : row)),
})

describe('countColumns', () => {
  it('are those of operators by name, then those of the map that the response has', () => {
    const { rows } = withCounts({ 'operator:zeta': 2, available: 1.25, 'operator:alpha': 1, something: 9 })
    const columns = countColumns(i18next.t, mapModes.distribution, { rows }, [{ slug: 'zeta', name: 'Bolt' }])
    expect(columns.map(({ title }) => title)).toEqual(['Bolt', 'Unknown Operator', 'Available'])
    expect(columns.map((column) => column.value(rows[0]!))).toEqual([2, 1, 1.25])
    // An operator without a count there has zero.
    expect(columns.map((column) => column.renderCell?.(rows[1]!))).toEqual(['0', '0', '0'])
  })
  it('are none if only values are known', () =>
    expect(countColumns(i18next.t, mapModes.trips, withCounts({}), [])).toEqual([]))
})

it('valueColumn carries its unit', () => {
  const column = valueColumn(i18next.t, 'trips', 'trips')
  expect([
    column.title,
    column.value(anEvaluation({ a: 1234 }).rows[0]!),
    column.renderCell?.(anEvaluation({ a: 1234 }).rows[0]!),
  ]).toEqual(['Value (trips)', 1234, '1,234'])
})

it('comparedColumns show both values, the difference and its percent', () => {
  const row = compareEvaluations(anEvaluation({ a: 15 }), anEvaluation({ a: 20 })).rows[0]!
  const columns = comparedColumns(i18next.t, 'trips', 'trips', { now: 'May', before: 'April' })
  expect(columns.map(({ title }) => title)).toEqual([
    'May (trips)',
    'April (trips)',
    'Change (trips)',
    'Change (%)',
  ])
  expect(columns.map((column) => column.renderCell?.(row))).toEqual(['15', '20', '-5', '-25'])
  expect(columns.map((column) => column.value(row))).toEqual([15, 20, -5, -25])
})

import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import kit from '#web/kit/kit.en.json' with { type: 'json' }
import type { Comparison } from './compare/comparison.ts'
import evaluation from '#web/evaluation/evaluation.en.json' with { type: 'json' }
import { getLegendFigures } from './legend-figures.ts'
import { testEvaluation } from './test-evaluation.ts'

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { kit, evaluation } } }))

const now = testEvaluation({ a: 1200 }, 300)
const compareWith = (kind: Comparison['kind']): Comparison => ({
  before: testEvaluation({ a: 900 }, 100),
  period: { start_date: '2026-01-01', end_date: '2026-01-31' },
  kind,
})
const getFigures = (comparison: Comparison | null, evaluation = now) =>
  getLegendFigures(i18next.t, evaluation, comparison, 'wards').map(({ label, value }) => `${label}: ${value}`)

it('shows the value outside of all shapes, and the total', () =>
  expect(getFigures(null)).toEqual(['Outside all wards: 300', 'Total: 1,500']))
it('shows the citywide value if shapes do not add up', () =>
  expect(getFigures(null, { ...now, sum: null, unit: 'hours', total: 12.34 })[1]).toBe('Citywide: 12.3'))
it('shows changes if the map shows changes', () => {
  expect(getFigures(compareWith('change'))).toEqual(['Outside all wards: +200', 'Total: +500'])
  expect(getFigures(compareWith('percent'))).toEqual(['Outside all wards: +200', 'Total: +50'])
})
it('shows both totals side by side', () =>
  expect(getFigures(compareWith('side'))).toEqual([
    'Outside all wards: 300',
    'Total: 1,500',
    'Total before: 1,000',
  ]))

import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import kit from '#web/kit/kit.en.json' with { type: 'json' }
import { dataColors } from '#web/kit/theme.ts'
import { testEvaluation } from '../test-evaluation.ts'
import { compareEvaluations } from './compare-evaluations.ts'
import evaluation from '#web/evaluation/evaluation.en.json' with { type: 'json' }
import { paintChange } from './paint-change.ts'

const scheme = dataColors.light.diverging
const comparedRows = (now: Record<string, number | null>, before: Record<string, number | null>) =>
  compareEvaluations(testEvaluation(now), testEvaluation(before)).rows

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { kit, evaluation } } }))

describe('paintChange', () => {
  it('is symmetric around no change', () => {
    const { binById, colors, legend } = paintChange(
      i18next.t,
      comparedRows(
        { a: 10, b: 50, c: 90, d: 110, e: 150, f: 190, g: 100, h: null },
        { a: 100, b: 100, c: 100, d: 100, e: 100, f: 100, g: 100, h: 1 },
      ),
      { kind: 'change', scheme, digits: 0 },
    )
    expect(colors).toEqual([...scheme])
    expect([...binById.values()]).toEqual([0, 1, 2, 4, 5, 6, 3, 'none'])
    expect(legend.map(({ label }) => label)).toEqual([
      '+90',
      '+50',
      '+10',
      'Unchanged',
      '-10',
      '-50',
      '-90',
      'No data',
    ])
    expect(legend[0]?.members).toBe('1 area')
  })
  it('has one bin per distinct change, with the strongest colors at the ends', () => {
    const { binById, colors } = paintChange(i18next.t, comparedRows({ a: 5, b: 1 }, { a: 3, b: 3 }), {
      kind: 'change',
      scheme,
      digits: 0,
    })
    expect(colors).toHaveLength(3)
    expect(binById.get('a')).toBe(2)
    expect(binById.get('b')).toBe(0)
  })
  it('shows ranges with their signs, and percent', () => {
    const values = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`s${index}`, 101 + index]))
    const { legend, binById } = paintChange(
      i18next.t,
      comparedRows(values, Object.fromEntries(Object.keys(values).map((id) => [id, 100]))),
      { kind: 'percent', scheme, digits: 1 },
    )
    expect(legend[0]?.label).toMatch(/^\+\d+ to \+60$/)
    expect(binById.get('s59')).toBe(6)
  })
  it('has the decimals that small changes need to differ', () => {
    const before = { a: 10_000, b: 10_000 }
    const { legend } = paintChange(i18next.t, comparedRows({ a: 10_002, b: 10_005 }, before), {
      kind: 'percent',
      scheme,
      digits: 1,
    })
    expect(legend.slice(0, 2).map(({ label }) => label)).toEqual(['+0.05', '+0.02'])
  })
  it('has only the middle if nothing changed', () => {
    const { binById, legend } = paintChange(i18next.t, comparedRows({ a: 3 }, { a: 3 }), {
      kind: 'change',
      scheme,
      digits: 0,
    })
    expect([...binById.values()]).toEqual([0])
    expect(legend.map(({ label }) => label)).toEqual(['Unchanged'])
  })
})

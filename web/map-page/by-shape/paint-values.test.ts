import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import kit from '#web/kit/kit.en.json' with { type: 'json' }
import { dataColors } from '#web/kit/theme.ts'
import { computeBins } from './classify.ts'
import evaluation from '#web/evaluation/evaluation.en.json' with { type: 'json' }
import { paintValues } from './paint-values.ts'
import { getSumKind, sumRows } from './sum-rows.ts'
import { testEvaluation } from './test-evaluation.ts'

const ramp = dataColors.light.sequential.tide
const labels = (painting: ReturnType<typeof paintValues>) =>
  painting.legend.map(({ label, members }) => `${label}: ${members}`)

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { kit, evaluation } } }))

describe('paintValues', () => {
  it('spreads the colors over the bins', () => {
    const painting = paintValues(i18next.t, testEvaluation({ a: 1, b: 5, c: 5 }), ramp)
    expect(painting.colors).toEqual([ramp[0], ramp[6]])
    expect([...painting.binById.values()]).toEqual([0, 1, 1])
  })
  it('lists the highest bin first, then zero and no data if there are any', () => {
    expect(labels(paintValues(i18next.t, testEvaluation({ a: 1200, b: 5, c: 0, d: null }), ramp))).toEqual([
      '1,200: 1 area',
      '5: 1 area',
      '0 (none): 1 area',
      'No data: 1 area',
    ])
    expect(labels(paintValues(i18next.t, testEvaluation({ a: 3 }), ramp))).toEqual(['3: 1 area'])
  })
  it('shows shared bins, also empty ones', () => {
    const shared = computeBins([1, 10, 100])
    expect(
      labels(paintValues(i18next.t, testEvaluation({ a: 100, b: 100 }), ramp, { bins: shared })),
    ).toEqual(['100: 2 areas', '10: 0 areas', '1: 0 areas'])
  })
  it('counts the shapes of both periods side by side', () => {
    const [now, before] = [testEvaluation({ a: 100, b: 10, c: 0 }), testEvaluation({ a: 1, b: null, c: 10 })]
    expect(labels(paintValues(i18next.t, now, ramp, { bins: computeBins([1, 10, 100]), before }))).toEqual([
      '100: 1, before: 0',
      '10: 1, before: 1',
      '1: 0, before: 1',
      '0 (none): 1, before: 0',
      'No data: 0, before: 1',
    ])
  })
  it('has adjoining bins if values are not integers', () => {
    const values = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`s${index}`, index / 4 + 0.25]),
    )
    const [highest, next] = paintValues(i18next.t, testEvaluation(values, null, 'vehicles'), ramp).legend
    expect(highest?.label.split(' – ')[0]).toBe(next?.label.split(' – ')[1])
  })
  it('has the decimals that small limits need to differ', () => {
    expect(
      labels(paintValues(i18next.t, testEvaluation({ a: 0.02, b: 0.05, c: 2.3 }, null, 'share'), ramp)),
    ).toEqual(['2.3: 1 area', '0.05: 1 area', '0.02: 1 area'])
    const values = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`s${index}`, (index + 1) ** 2 / 1000]),
    )
    const limits = labels(paintValues(i18next.t, testEvaluation(values, null, 'share'), ramp)).map(
      (label) => label.split(':')[0],
    )
    expect(new Set(limits).size).toBe(limits.length)
    expect(limits.every((label) => /^[\d.]+ – [\d.]+$/.test(label!))).toBe(true)
  })
})

describe('how shapes add up', () => {
  it('depends on the aggregation', () => {
    expect([
      getSumKind('exact', 'origins'),
      getSumKind('more', 'origins'),
      getSumKind('more', 'orig_or_dest'),
      getSumKind('more', 'intersect'),
      getSumKind('never', 'average_origin_distance'),
    ]).toEqual(['exact', 'overlaps', 'both_ends', 'passes', null])
  })
  it('distinguishes unknown from zero', () => {
    expect(sumRows('exact', testEvaluation({ a: 2, b: null }).rows, null, null)).toEqual({
      shapes: 2,
      notInShape: 0,
      total: 0,
      kind: 'exact',
    })
    expect(sumRows(null, [], 1, 1)).toBeNull()
  })
})

import { expect, test } from 'vitest'
import { bootstrapRatio } from './bootstrap-ratio.ts'
import { type CalibrationTerms, noEstimate, planEstimates } from './calibration-plan.ts'

const cell = (band: string, k: number | null, interval: [number, number] | null = null) => ({
  band,
  day_type: 'all',
  k,
  interval,
  n: 1,
  counted_hours: 1,
  paid_hours: 1,
})
const terms = (fields: Partial<CalibrationTerms>): CalibrationTerms => ({
  zone_ids: null,
  bands: [
    { key: 'early', from: 480, until: 630 },
    { key: 'late', from: 630, until: 720 },
  ],
  day_types: [{ key: 'all', weekdays: [1, 2, 3, 4, 5] }],
  cells: [cell('early', 2, [1.5, 2.5]), cell('late', null)],
  valid_from: '2024-01-01',
  valid_until: '2026-01-01',
  ...fields,
})

test('an hour has the ratio of the band that holds half of it or more, on the weekdays of its type', () => {
  const { spans } = planEstimates([terms({})])
  expect(spans).toHaveLength(1)
  const [monday, , , , , saturday] = spans[0]?.weekdays ?? []
  expect(monday?.k.slice(7, 13)).toEqual([noEstimate, 2, 2, 2, noEstimate, noEstimate])
  expect([monday?.low[8], monday?.high[8]]).toEqual([1.5, 2.5])
  expect(new Set(saturday?.k)).toEqual(new Set([noEstimate]))
})

test('the newest valid calibration applies, and an earlier one where it has no ratio', () => {
  const newest = terms({
    zone_ids: ['a'],
    cells: [cell('early', null), cell('late', 3)],
    valid_from: '2025-01-01',
  })
  const { groupOf, spans } = planEstimates([newest, terms({})])
  const at = (zone: string, day: string): number[] =>
    spans
      .find(({ group, from, until }) => group === (groupOf.get(zone) ?? 0) && from <= day && day < until)
      ?.weekdays[0]?.k.slice(8, 12) ?? []
  expect(at('a', '2024-06-01')).toEqual([2, 2, 2, noEstimate])
  expect(at('a', '2025-06-01')).toEqual([2, 2, 2, 3])
  expect(at('b', '2025-06-01')).toEqual([2, 2, 2, noEstimate])
  expect(at('b', '2026-01-01')).toEqual([])
})

test('a ratio is that of the sums, and its interval is the same every time and holds it', () => {
  const samples = Array.from({ length: 40 }, (_, index) => ({
    counted: 100 + (index % 7) * 10,
    paid: 60 + (index % 5) * 4,
  }))
  const [counted, paid] = [
    samples.reduce((sum, each) => sum + each.counted, 0),
    samples.reduce((sum, each) => sum + each.paid, 0),
  ]
  const found = bootstrapRatio(samples, 7)
  expect(found).toEqual(bootstrapRatio(samples, 7))
  expect(found.k).toBe(counted / paid)
  const [low, high] = found.interval ?? [0, 0]
  expect(low).toBeLessThan(counted / paid)
  expect(high).toBeGreaterThan(counted / paid)
  expect(high - low).toBeLessThan(0.3)
})

test('nothing paid has no ratio; one sample has no interval', () => {
  expect(bootstrapRatio([{ counted: 3600, paid: 0 }], 1)).toEqual({
    k: null,
    interval: null,
    n: 1,
    counted_hours: 1,
    paid_hours: 0,
  })
  expect(bootstrapRatio([{ counted: 200, paid: 100 }], 1)).toMatchObject({ k: 2, interval: null })
})

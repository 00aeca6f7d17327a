import { expect, test } from 'vitest'
import { computeBootstrapRatio } from './bootstrap-ratio.ts'
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
const terms = (overrides: Partial<CalibrationTerms>): CalibrationTerms => ({
  zone_ids: null,
  bands: [
    { key: 'early', from: 480, until: 630 },
    { key: 'late', from: 630, until: 720 },
  ],
  day_types: [{ key: 'all', weekdays: [1, 2, 3, 4, 5] }],
  cells: [cell('early', 2, [1.5, 2.5]), cell('late', null)],
  valid_from: '2024-01-01',
  valid_until: '2026-01-01',
  ...overrides,
})

test('An hour has the ratio of the band that covers at least half of it, on the weekdays of its day type', () => {
  const { spans } = planEstimates([terms({})])
  expect(spans).toHaveLength(1)
  const [monday, , , , , saturday] = spans[0]?.weekdays ?? []
  expect(monday?.k.slice(7, 13)).toEqual([noEstimate, 2, 2, 2, noEstimate, noEstimate])
  expect([monday?.low[8], monday?.high[8]]).toEqual([1.5, 2.5])
  expect(new Set(saturday?.k)).toEqual(new Set([noEstimate]))
})

test('The newest valid calibration applies; where it has no ratio, an earlier one does', () => {
  const newest = terms({
    zone_ids: ['a'],
    cells: [cell('early', null), cell('late', 3)],
    valid_from: '2025-01-01',
  })
  const { groupByZone, spans } = planEstimates([newest, terms({})])
  const getRatios = (zone: string, day: string): number[] =>
    spans
      .find(({ group, from, until }) => group === (groupByZone.get(zone) ?? 0) && from <= day && day < until)
      ?.weekdays[0]?.k.slice(8, 12) ?? []
  expect(getRatios('a', '2024-06-01')).toEqual([2, 2, 2, noEstimate])
  expect(getRatios('a', '2025-06-01')).toEqual([2, 2, 2, 3])
  expect(getRatios('b', '2025-06-01')).toEqual([2, 2, 2, noEstimate])
  expect(getRatios('b', '2026-01-01')).toEqual([])
})

test('A bootstrap returns the ratio of the sums, with a reproducible interval that contains it', () => {
  const samples = Array.from({ length: 40 }, (_, index) => ({
    counted: 100 + (index % 7) * 10,
    paid: 60 + (index % 5) * 4,
  }))
  const counted = samples.reduce((sum, sample) => sum + sample.counted, 0)
  const paid = samples.reduce((sum, sample) => sum + sample.paid, 0)
  const result = computeBootstrapRatio(samples, 7)
  expect(result).toEqual(computeBootstrapRatio(samples, 7))
  expect(result.k).toBe(counted / paid)
  const [low, high] = result.interval ?? [0, 0]
  expect(low).toBeLessThan(counted / paid)
  expect(high).toBeGreaterThan(counted / paid)
  expect(high - low).toBeLessThan(0.3)
})

test('A bootstrap returns no ratio without paid time, and no interval for one sample', () => {
  expect(computeBootstrapRatio([{ counted: 3600, paid: 0 }], 1)).toEqual({
    k: null,
    interval: null,
    n: 1,
    counted_hours: 1,
    paid_hours: 0,
  })
  expect(computeBootstrapRatio([{ counted: 200, paid: 100 }], 1)).toMatchObject({ k: 2, interval: null })
})

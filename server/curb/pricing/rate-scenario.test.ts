import { describe, expect, it, test } from 'vitest'
import { computeExpectedOccupancy, computeMeanByCapacity, estimateRevenue } from './rate-scenario.ts'

describe('computeExpectedOccupancy', () => {
  it.each([
    { occupancy: 0.8, before: 200, after: 200, elasticity: -0.3, expected: 0.8 },
    { occupancy: 0.8, before: 200, after: 400, elasticity: -0.3, expected: 0.8 * 2 ** -0.3 },
    { occupancy: 0.8, before: 200, after: 400, elasticity: -0.6, expected: 0.8 * 2 ** -0.6 },
    { occupancy: 0.8, before: 200, after: 400, elasticity: 0, expected: 0.8 },
    { occupancy: 0.9, before: 400, after: 100, elasticity: -0.6, expected: 1 },
    { occupancy: 1.3, before: 200, after: 200, elasticity: -0.3, expected: 1 },
    { occupancy: 0.5, before: 200, after: 0, elasticity: -0.3, expected: 1 },
  ])(
    'occupancy $occupancy at rate $before, changed to $after, elasticity $elasticity',
    ({ occupancy, before, after, elasticity, expected }) => {
      expect(computeExpectedOccupancy(occupancy, before, after, elasticity)).toBeCloseTo(expected, 12)
    },
  )

  it('returns null if parking was free', () => {
    expect(computeExpectedOccupancy(0.5, 0, 100, -0.3)).toBeNull()
  })
})

const row = { current_rate: 200, occupancy: 0.5, capacity: 10, paid_hours: 15, next: 400 }

test('A scenario estimates revenue as rate x occupancy x spaces x paid hours, with its range', () => {
  const revenue = estimateRevenue([row, { ...row, occupancy: null }, { ...row, next: null }], -0.3)
  const before = 200 * 0.5 * 10 * 15
  expect(revenue).toMatchObject({ rows: 2, before: 2 * before, elasticity: -0.3 })
  expect(revenue.after).toBeCloseTo(before * 2 * 2 ** -0.3 + before, 6)
  expect(revenue.low).toBeCloseTo(before * 2 * 2 ** -0.6 + before, 6)
  expect(revenue.high).toBeCloseTo(before * 2 + before, 6)
})

test('A scenario weights means by spaces and paid hours, and skips rows without a value', () => {
  const rows = [
    { capacity: 10, paid_hours: 10, value: 0.5 },
    { capacity: 30, paid_hours: 10, value: 0.9 },
    { capacity: 50, paid_hours: 10, value: null },
  ]
  expect(computeMeanByCapacity(rows, ({ value }) => value)).toBeCloseTo((0.5 * 10 + 0.9 * 30) / 40, 12)
  expect(computeMeanByCapacity([], () => 1)).toBeNull()
})

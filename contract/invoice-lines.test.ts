import { expect, test } from 'vitest'
import { groupLines, readLineDetail, sumDecimals } from './invoice-lines.ts'

test.each([
  ['Trips', 'Trips', { kind: 'none' }],
  ['Trips', 'Trips, Standing Scooter', { kind: 'vehicle_type', type: 'scooter_standing' }],
  ['Trips, north', 'Trips, north, Moped', { kind: 'vehicle_type', type: 'moped' }],
  ['Trips', 'Trips: minimum', { kind: 'minimum' }],
  ['Trips', 'Trips: maximum per vehicle and day', { kind: 'vehicle_day_maximum' }],
  ['Trips', 'Trips: 12.5 % less in discounted areas', { kind: 'discount', percent: '12.5' }],
  ['Trips', 'Trips, night rate', { kind: 'other', text: 'night rate' }],
  ['Trips', 'Tripstar', { kind: 'other', text: 'Tripstar' }],
  ['Trips', 'Adjustment of invoice a, b-7', { kind: 'adjustment', number: 'a, b-7' }],
  ['Trips', 'Adjustment of invoice b-7, settles an estimate', { kind: 'settled_estimate', number: 'b-7' }],
])('readLineDetail reads the description of a line of %s: %s', (policy_name, description, expected) =>
  expect(readLineDetail({ policy_name, description })).toEqual(expected),
)

test('groupLines groups consecutive lines of one fee and period', () => {
  const makeLine = (id: string | null, amount: string, overrides: object = {}) => ({
    kind: 'fee' as const,
    policy_uuid: id,
    charge_id: null,
    policy_name: `Fee ${id}`,
    start_date: '2026-01-01',
    end_date: '2026-01-31',
    amount,
    ...overrides,
  })
  const lines = [
    makeLine('a', '1.10'),
    makeLine('a', '-0.35'),
    makeLine('a', '2.00', { end_date: '2026-01-15' }),
    makeLine('b', '5.00'),
    makeLine('b', '1.00', { kind: 'adjustment' }),
    makeLine('b', '1.00', { kind: 'adjustment' }),
    makeLine(null, '3.00'),
    makeLine(null, '3.00'),
    makeLine(null, '4.00', { charge_id: 'c' }),
    makeLine(null, '4.50', { charge_id: 'c' }),
  ]
  expect(groupLines(lines).map((group) => [group.fee, group.lines.length, group.subtotal])).toEqual([
    ['Fee a', 2, '0.75'],
    ['Fee a', 1, '2.00'],
    ['Fee b', 1, '5.00'],
    ['Fee b', 1, '1.00'],
    ['Fee b', 1, '1.00'],
    ['Fee null', 1, '3.00'],
    ['Fee null', 1, '3.00'],
    ['Fee null', 2, '8.50'],
  ])
})

test('sumDecimals adds decimal numbers exactly', () => {
  expect(sumDecimals(['0.1', '0.20', '90071992547409.93'])).toBe('90071992547410.23')
  expect(sumDecimals(['-1.05', '1'])).toBe('-0.05')
  expect([sumDecimals(['7', '-9']), sumDecimals([])]).toEqual(['-2', '0'])
})

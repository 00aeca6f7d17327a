import { expect, it } from 'vitest'
import { periodBefore, toComparison, yearBefore, getDataCoverage } from './comparison.ts'

it('periodBefore has the same length and ends the day before', () => {
  expect(periodBefore({ start_date: '2026-03-01', end_date: '2026-03-07' })).toEqual({
    start_date: '2026-02-22',
    end_date: '2026-02-28',
  })
  expect(periodBefore({ start_date: '2026-03-01', end_date: '2026-03-01' })).toEqual({
    start_date: '2026-02-28',
    end_date: '2026-02-28',
  })
})
it('periodBefore of whole months is the same number of months', () => {
  expect(periodBefore({ start_date: '2026-03-01', end_date: '2026-03-31' })).toEqual({
    start_date: '2026-02-01',
    end_date: '2026-02-28',
  })
  expect(periodBefore({ start_date: '2026-01-01', end_date: '2026-03-31' })).toEqual({
    start_date: '2025-10-01',
    end_date: '2025-12-31',
  })
  expect(periodBefore({ start_date: '2026-03-01', end_date: '2026-03-30' }).start_date).toBe('2026-01-30')
})
it('yearBefore is the same calendar days', () => {
  expect(yearBefore({ start_date: '2026-03-01', end_date: '2026-05-31' })).toEqual({
    start_date: '2025-03-01',
    end_date: '2025-05-31',
  })
  expect(yearBefore({ start_date: '2024-02-29', end_date: '2024-02-29' })).toEqual({
    start_date: '2023-02-28',
    end_date: '2023-02-28',
  })
  expect(yearBefore({ start_date: '2025-02-01', end_date: '2025-02-28' })).toEqual({
    start_date: '2024-02-01',
    end_date: '2024-02-29',
  })
})

it.each([
  ['2026-03-01', '2026-03-31', 'all'],
  ['2025-11-01', '2025-11-30', 'some'],
  ['2025-10-01', '2025-10-31', 'none'],
] as const)('the data coverage from %s to %s is: %s', (start_date, end_date, expected) => {
  expect(getDataCoverage({ start_date, end_date }, { first_day: '2025-11-15', last_day: '2026-05-01' })).toBe(
    expected,
  )
})

const march = { start_date: '2026-03-01', end_date: '2026-03-31' }
const april = { start_date: '2026-04-01', end_date: '2026-04-30' }
it.each([
  [april, march, '2026-03-01', { name: '2026-03-01', value: 5 }],
  [april, march, '2026-03-02', { name: '2026-03-01', value: null, isPartial: true }],
  [april, march, '2026-04-01', { name: '2026-03-01', value: null, isPartial: false }],
  // The period that is shown is named if data does not cover it.
  [march, april, '2026-03-02', { name: '2026-03-01', value: null, isPartial: true }],
  [april, march, null, { name: '2026-03-01', value: null, isPartial: false }],
])('compares %j with %j only if data, here since %s, covers both', (period, compared, firstDay, expected) => {
  const getName = ({ start_date: name }: typeof march): string => name
  const comparison = toComparison({ key: 'a', value: 5, period, compared, firstDay, getName })
  expect(comparison).toEqual({ key: 'a', ...expected })
})

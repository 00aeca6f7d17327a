import { expect, it } from 'vitest'
import { periodBefore, yearBefore, getDataCoverage } from './comparison.ts'

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

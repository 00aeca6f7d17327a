import { expect, test } from 'vitest'
import { listSummedMonths } from './sum-sources.ts'

test('Monthly sums are read for months that are completely in a period and have no pending days', () => {
  const period = { start_date: '2024-01-02', end_date: '2024-05-31' }
  expect(listSummedMonths(period, [])).toEqual(['2024-02-01', '2024-03-01', '2024-04-01', '2024-05-01'])
  expect(listSummedMonths(period, ['2024-03-31', '2024-05-01'])).toEqual(['2024-02-01', '2024-04-01'])
  expect(listSummedMonths({ start_date: '2024-12-01', end_date: '2024-12-31' }, [])).toEqual(['2024-12-01'])
  expect(listSummedMonths({ start_date: '2024-12-01', end_date: '2024-12-30' }, [])).toEqual([])
})

import { expect, test } from 'vitest'
import { issueSortKeys } from '#contract/issues.ts'
import { compareFrequency } from './by-frequency.ts'
import { parseIssueOrder } from './list-issues.ts'

test('parseIssueOrder sorts by existing columns, newest request first by default', () => {
  expect(parseIssueOrder()).toEqual({ column: 'requested_time', isDescending: true })
  expect(parseIssueOrder('resolution_time')).toEqual({ column: 'resolution_hours', isDescending: false })
  expect(parseIssueOrder('-id')).toEqual({ column: 'issue_id', isDescending: true })
  for (const key of issueSortKeys) expect(parseIssueOrder(key).column).toBeTruthy()
})

test('compareFrequency sorts types by frequency, then by name', () => {
  const createType = (service_name: string, open: number, closed: number) => ({
    service_code: service_name,
    service_name,
    open,
    closed,
  })
  expect(
    [createType('b', 1, 1), createType('c', 0, 9), createType('a', 2, 0)]
      .sort(compareFrequency)
      .map(({ service_name }) => service_name),
  ).toEqual(['c', 'a', 'b'])
})

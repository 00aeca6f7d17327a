import { expect, test } from 'vitest'
import { issueSortKeys } from '#contract/issues.ts'
import { compareFrequency } from './by-frequency.ts'
import { issueOrder } from './list-issues.ts'

test('issueOrder sorts by existing columns, newest request first by default', () => {
  expect(issueOrder()).toEqual({ column: 'requested_time', isDescending: true })
  expect(issueOrder('resolution_time')).toEqual({ column: 'resolution_hours', isDescending: false })
  expect(issueOrder('-id')).toEqual({ column: 'issue_id', isDescending: true })
  for (const key of issueSortKeys) expect(issueOrder(key).column).toBeTruthy()
})

test('compareFrequency sorts types by frequency, then by name', () => {
  const type = (service_name: string, open: number, closed: number) => ({
    service_code: service_name,
    service_name,
    open,
    closed,
  })
  expect(
    [type('b', 1, 1), type('c', 0, 9), type('a', 2, 0)]
      .sort(compareFrequency)
      .map(({ service_name }) => service_name),
  ).toEqual(['c', 'a', 'b'])
})

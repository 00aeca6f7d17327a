import type { IssueSort, IssueSortKey } from '#contract/issues.ts'

const columns = {
  requested_time: 'requested_time',
  closed_time: 'closed_time',
  resolution_time: 'resolution_hours',
  service_name: 'service_name',
  status: 'status',
  source_status: 'source_status',
  address: 'address',
  id: 'issue_id',
} as const satisfies Record<IssueSortKey, string>

/** The column and the direction of a sorting; without one the newest request first. */
export function issueOrder(sort: IssueSort = '-requested_time') {
  const isDescending = sort.startsWith('-')
  return { column: columns[(isDescending ? sort.slice(1) : sort) as IssueSortKey], isDescending }
}

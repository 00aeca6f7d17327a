import type { Issue, IssueStatus, IssueWithHistory } from '#contract/issues.ts'
import { changesOf } from './merge-issue.ts'
import { type IssueRow, knownOf } from './stored-issue.ts'

/** A stored issue in the contract's field names. */
export const readIssue = (row: Omit<IssueRow, 'history' | 'imports'>): Issue => ({
  id: row.issue_id,
  source: row.source,
  service_code: row.service_code,
  service_name: row.service_name,
  description: row.description,
  status: row.status as IssueStatus,
  source_status: row.source_status,
  requested_time: row.requested_time.toISOString(),
  updated_time: row.updated_time?.toISOString() ?? null,
  closed_time: row.closed_time?.toISOString() ?? null,
  resolution_time: row.resolution_hours,
  address: row.address,
  lat: row.lat,
  lon: row.lon,
  districts: row.districts,
  first_seen_time: row.first_seen.toISOString(),
})

/** The same with the changes of its status. */
export const readIssueWithHistory = (row: IssueRow): IssueWithHistory => ({
  ...readIssue(row),
  history: changesOf(knownOf(row).history).map(({ at, status, sourceStatus }) => ({
    time: new Date(at).toISOString(),
    status,
    source_status: sourceStatus,
  })),
})

import type { Insertable, Selectable } from 'kysely'
import type { IssueStatus } from '#contract/issues.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { getClosedTime, type KnownIssue, computeResolutionHours } from './merge-issue.ts'

export type IssueRow = Selectable<StateTables['issue']>

const toTimeOrNull = (time: Date | null): number | null => (time ? time.getTime() : null)
const toDateOrNull = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

/** Converts a row to an issue. */
export const readKnownIssue = (row: IssueRow): KnownIssue => ({
  report: {
    issueId: row.issue_id,
    serviceCode: row.service_code,
    serviceName: row.service_name,
    description: row.description,
    status: row.status as IssueStatus,
    sourceStatus: row.source_status,
    requested: row.requested_time.getTime(),
    updated: toTimeOrNull(row.updated_time),
    closed: toTimeOrNull(row.reported_closed_time),
    address: row.address,
    lat: row.lat,
    lon: row.lon,
    districts: row.districts,
  },
  version: row.version_time.getTime(),
  observed: row.observed_time.getTime(),
  contentHash: row.content_hash,
  history: row.history.map((entry) => ({
    at: Date.parse(entry.at),
    status: entry.status as IssueStatus,
    sourceStatus: entry.source_status,
  })),
  firstSeen: row.first_seen.getTime(),
})

/** Converts an issue to a row. `imports` are the ids of the imports with reports of it. */
export function toIssueRow(
  regionId: string,
  source: string,
  imports: readonly string[],
  known: KnownIssue,
): Insertable<StateTables['issue']> {
  const { report } = known
  return {
    region_id: regionId,
    source,
    issue_id: report.issueId,
    service_code: report.serviceCode,
    service_name: report.serviceName,
    description: report.description,
    status: report.status,
    source_status: report.sourceStatus,
    requested_time: new Date(report.requested),
    updated_time: toDateOrNull(report.updated),
    reported_closed_time: toDateOrNull(report.closed),
    closed_time: toDateOrNull(getClosedTime(known)),
    resolution_hours: computeResolutionHours(known),
    address: report.address,
    lat: report.lat,
    lon: report.lon,
    districts: JSON.stringify(report.districts),
    history: JSON.stringify(
      known.history.map((entry) => ({
        at: new Date(entry.at).toISOString(),
        status: entry.status,
        source_status: entry.sourceStatus,
      })),
    ),
    imports: JSON.stringify(imports),
    first_seen: new Date(known.firstSeen),
    version_time: new Date(known.version),
    observed_time: new Date(known.observed),
    content_hash: known.contentHash,
  }
}

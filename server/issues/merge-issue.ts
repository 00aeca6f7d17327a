import { hash } from 'node:crypto'
import type { IssueStatus } from '#contract/issues.ts'
import { hourMs } from '#contract/period.ts'
import type { IssueReport } from './issue-report.ts'

/** A status of an issue from an instant `at` (ms since 1970) on. */
export interface StatusChange {
  at: number
  status: IssueStatus
  sourceStatus: string
}

/** The stored state of an issue: the report of its newest version, and the statuses of all versions. */
export interface KnownIssue {
  report: IssueReport
  /** The version time of the report, ms since 1970. */
  version: number
  /** When the report was received, ms since 1970. */
  observed: number
  contentHash: string
  history: StatusChange[]
  firstSeen: number
}

/** Limits the history for sources that report another time with every version. */
const maxStatuses = 200

/** Returns the version time of a report, ms since 1970. The report with the later time is newer. */
export const getVersionTime = ({ updated, requested, closed }: IssueReport): number =>
  updated ?? Math.max(requested, closed ?? requested)

/** Hex digits of a content hash, 96 bits. */
const hashLength = 24

const countFields = (report: IssueReport): number =>
  Object.values(report).filter((value) => value !== null && value !== '').length +
  Object.keys(report.districts).length

const toStatusChange = (report: IssueReport): StatusChange => {
  const version = getVersionTime(report)
  const at =
    report.status === 'closed' && report.closed !== null && report.closed <= version ? report.closed : version
  return { at, status: report.status, sourceStatus: report.sourceStatus }
}

const isSameStatus = (a: StatusChange, b: StatusChange): boolean =>
  a.status === b.status && a.sourceStatus === b.sourceStatus

/** Adds a change to the history, sorted by time. If it gets too long, removes repetitions first. */
function addStatus(history: readonly StatusChange[], change: StatusChange): StatusChange[] {
  if (history.some((entry) => entry.at === change.at && isSameStatus(entry, change))) return [...history]
  const changes = [...history, change].sort(
    (a, b) =>
      a.at - b.at ||
      Number(a.status === 'closed') - Number(b.status === 'closed') ||
      (a.sourceStatus < b.sourceStatus ? -1 : 1),
  )
  if (changes.length <= maxStatuses) return changes
  return changes
    .filter(
      (entry, index) =>
        index === 0 ||
        index === changes.length - 1 ||
        !isSameStatus(entry, changes[index - 1] as StatusChange) ||
        !isSameStatus(entry, changes[index + 1] as StatusChange),
    )
    .slice(-maxStatuses)
}

/**
 * Merges a report into an issue. The later version wins; of versions with the same time, the one received
 * later, then the one with more fields. Returns `known` itself if nothing changes.
 */
export function mergeIssue(known: KnownIssue | null, report: IssueReport, observed: number): KnownIssue {
  const version = getVersionTime(report)
  const contentHash = hash(
    'sha256',
    JSON.stringify([
      report.serviceCode,
      report.serviceName,
      report.description,
      report.status,
      report.sourceStatus,
      report.requested,
      report.updated,
      report.closed,
      report.address,
      report.lat,
      report.lon,
      Object.entries(report.districts).sort(),
    ]),
  ).slice(0, hashLength)
  const status = toStatusChange(report)
  if (!known) return { report, version, observed, contentHash, history: [status], firstSeen: observed }
  const history = addStatus(known.history, status)
  const firstSeen = Math.min(known.firstSeen, observed)
  // The last comparison, of hashes, is arbitrary; it makes the result independent of the order of arrival.
  const precedence =
    version - known.version ||
    (contentHash === known.contentHash
      ? 0
      : observed - known.observed ||
        countFields(report) - countFields(known.report) ||
        (contentHash > known.contentHash ? 1 : -1))
  if (precedence > 0) return { report, version, observed, contentHash, history, firstSeen }
  return history.length === known.history.length && firstSeen === known.firstSeen
    ? known
    : { ...known, history, firstSeen }
}

/** Lists the history without repetitions: the first of several equal statuses in a row. */
export const listStatusChanges = (history: readonly StatusChange[]): StatusChange[] =>
  history.filter((entry, index) => index === 0 || !isSameStatus(entry, history[index - 1] as StatusChange))

/**
 * Returns when an issue was closed, ms since 1970: the reported time, or else the start of the last
 * uninterrupted series of closed statuses; null for an open issue, and if the time is unknown.
 */
export function getClosedTime({ report, history }: Pick<KnownIssue, 'report' | 'history'>): number | null {
  if (report.status !== 'closed') return null
  if (report.closed !== null) return report.closed
  let closedSince: number | null = null
  for (const { at, status } of history.toReversed()) {
    if (status !== 'closed') break
    closedSince = at
  }
  // An issue that was closed in its first report has an unknown closing time.
  return closedSince !== null && closedSince > report.requested ? closedSince : null
}

/** Computes hours from request to closing; null if the issue is open or its closing unknown or earlier. */
export function computeResolutionHours(issue: Pick<KnownIssue, 'report' | 'history'>): number | null {
  const closed = getClosedTime(issue)
  return closed === null || closed < issue.report.requested
    ? null
    : (closed - issue.report.requested) / hourMs
}

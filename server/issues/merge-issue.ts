import { hash } from 'node:crypto'
import type { IssueStatus } from '#contract/issues.ts'
import type { IssueReport } from './issue-report.ts'

/** A reported status of an issue. */
export interface StatusAt {
  /** Ms since 1970. */
  at: number
  status: IssueStatus
  sourceStatus: string
}

/** The stored state of an issue: its newest version, and every status of any version, by time. */
export interface KnownIssue {
  report: IssueReport
  /** The time of its version, and when it was received, ms. */
  version: number
  observed: number
  contentHash: string
  history: StatusAt[]
  firstSeen: number
}

/** A limit for sources that change the time of every version. */
const maxStatuses = 200

/** The time of a version: of two reports the one with the later time is newer. */
export const versionOf = ({ updated, requested, closed }: IssueReport): number =>
  updated ?? Math.max(requested, closed ?? requested)

const countFields = (report: IssueReport): number =>
  Object.values(report).filter((value) => value !== null && value !== '').length +
  Object.keys(report.districts).length

const statusOf = (report: IssueReport): StatusAt => {
  const version = versionOf(report)
  const at =
    report.status === 'closed' && report.closed !== null && report.closed <= version ? report.closed : version
  return { at, status: report.status, sourceStatus: report.sourceStatus }
}

const sameStatus = (a: StatusAt, b: StatusAt): boolean =>
  a.status === b.status && a.sourceStatus === b.sourceStatus

/** Adds a status, sorted by time. If the list is too long, repetitions of one status are removed. */
function withStatus(history: readonly StatusAt[], next: StatusAt): StatusAt[] {
  if (history.some((each) => each.at === next.at && sameStatus(each, next))) return [...history]
  const all = [...history, next].sort(
    (a, b) =>
      a.at - b.at ||
      Number(a.status === 'closed') - Number(b.status === 'closed') ||
      (a.sourceStatus < b.sourceStatus ? -1 : 1),
  )
  if (all.length <= maxStatuses) return all
  return all
    .filter(
      (each, index) =>
        index === 0 ||
        index === all.length - 1 ||
        !sameStatus(each, all[index - 1] as StatusAt) ||
        !sameStatus(each, all[index + 1] as StatusAt),
    )
    .slice(-maxStatuses)
}

/**
 * Merges a report into an issue. The later version wins; of equal versions the one received later, then the one with more fields.
 * If nothing changes, the result is `known` itself.
 */
export function mergeIssue(known: KnownIssue | null, report: IssueReport, observed: number): KnownIssue {
  const version = versionOf(report)
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
  ).slice(0, 24)
  const status = statusOf(report)
  if (!known) return { report, version, observed, contentHash, history: [status], firstSeen: observed }
  const history = withStatus(known.history, status)
  const firstSeen = Math.min(known.firstSeen, observed)
  const by =
    version - known.version ||
    (contentHash === known.contentHash
      ? 0
      : observed - known.observed ||
        countFields(report) - countFields(known.report) ||
        (contentHash > known.contentHash ? 1 : -1))
  if (by > 0) return { report, version, observed, contentHash, history, firstSeen }
  return history.length === known.history.length && firstSeen === known.firstSeen
    ? known
    : { ...known, history, firstSeen }
}

/** The changes of status: the first of several equal statuses in a row. */
export const changesOf = (history: readonly StatusAt[]): StatusAt[] =>
  history.filter((each, index) => index === 0 || !sameStatus(each, history[index - 1] as StatusAt))

/** When a closed issue was closed: as reported, else since when it has been closed without interruption; null for an open one. */
export function closedTime({ report, history }: Pick<KnownIssue, 'report' | 'history'>): number | null {
  if (report.status !== 'closed') return null
  if (report.closed !== null) return report.closed
  let since: number | null = null
  for (const { at, status } of history.toReversed()) {
    if (status !== 'closed') break
    since = at
  }
  // Reported once, when it was requested: the closing time is unknown.
  return since !== null && since > report.requested ? since : null
}

/** Hours from request to closing; null if it is open, unknown, or closed before it was requested. */
export function resolutionHours(issue: Pick<KnownIssue, 'report' | 'history'>): number | null {
  const closed = closedTime(issue)
  return closed === null || closed < issue.report.requested
    ? null
    : (closed - issue.report.requested) / 3_600_000
}

import type { z } from 'zod'
import { countTotal } from '#server/stores/list-query.ts'
import type {
  Issue,
  IssueFilters,
  IssueType,
  IssueWithHistory,
  listIssues as contract,
  IssueSort,
  IssueSortKey,
  IssueStatus,
} from '#contract/issues.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { compareFrequency } from './by-frequency.ts'
import { issueConditions } from './issue-conditions.ts'
import { listStatusChanges } from './merge-issue.ts'
import { type IssueRow, readKnownIssue } from './stored-issue.ts'

/** Converts a stored issue to the form of the API. */
const toIssue = (row: Omit<IssueRow, 'history' | 'imports'>): Issue => ({
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

/** Converts a stored issue to the form of the API, with the changes of its status. */
const toIssueWithHistory = (row: IssueRow): IssueWithHistory => ({
  ...toIssue(row),
  history: listStatusChanges(readKnownIssue(row).history).map(({ at, status, sourceStatus }) => ({
    time: new Date(at).toISOString(),
    status,
    source_status: sourceStatus,
  })),
})

/** The columns of a list. The history is left out; it is only read for single issues. */
const listColumns = [
  'region_id',
  'source',
  'issue_id',
  'service_code',
  'service_name',
  'description',
  'status',
  'source_status',
  'requested_time',
  'updated_time',
  'reported_closed_time',
  'closed_time',
  'resolution_hours',
  'address',
  'lat',
  'lon',
  'districts',
  'first_seen',
  'version_time',
  'observed_time',
  'content_hash',
] as const

/** The column of each sort key. */
const sortColumns = {
  requested_time: 'requested_time',
  closed_time: 'closed_time',
  resolution_time: 'resolution_hours',
  service_name: 'service_name',
  status: 'status',
  source_status: 'source_status',
  address: 'address',
  id: 'issue_id',
} as const satisfies Record<IssueSortKey, string>

/** Returns the column and direction of a sort order; by default the newest request first. */
export function parseIssueOrder(sort: IssueSort = '-requested_time') {
  const isDescending = sort.startsWith('-')
  return { column: sortColumns[(isDescending ? sort.slice(1) : sort) as IssueSortKey], isDescending }
}

type IssueQuery = z.output<(typeof contract)['request']['query']>

/** Returns a page of the issues that match the filters, newest request first by default. */
export async function listIssues(
  state: State,
  scope: Scope,
  regionId: string,
  query: IssueQuery,
): Promise<{ items: Issue[]; total: number; page: number; size: number }> {
  const { timezone } = await findRegion(state, scope, regionId)
  const matchingIssues = state
    .as(scope)
    .selectFrom('issue')
    .where('region_id', '=', regionId)
    .where(issueConditions(query, timezone))
  const { column, isDescending } = parseIssueOrder(query.order_by)
  const total = await countTotal(matchingIssues)
  // `requested_time` has no nulls, and `nulls last` would prevent the use of its index.
  const sortedIssues =
    column === 'requested_time'
      ? matchingIssues.orderBy(column, isDescending ? 'desc' : 'asc')
      : matchingIssues.orderBy(column, (order) => (isDescending ? order.desc() : order.asc()).nullsLast())
  const orderedIssues =
    column === 'requested_time' ? sortedIssues : sortedIssues.orderBy('requested_time', 'desc')
  const rows = await orderedIssues
    .select(listColumns)
    .orderBy('source')
    .orderBy('issue_id')
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute()
  return { items: rows.map(toIssue), total, page: query.page, size: query.size }
}

/** Lists the issue types of a region with the numbers of matching open and closed issues, largest first. */
export async function listIssueTypes(
  state: State,
  scope: Scope,
  regionId: string,
  filters: IssueFilters = {},
): Promise<IssueType[]> {
  const { timezone } = await findRegion(state, scope, regionId)
  const matches = issueConditions(filters, timezone)
  const rows = await state
    .as(scope)
    .selectFrom('issue')
    .where('region_id', '=', regionId)
    .select((eb) => [
      'service_code',
      eb.fn.max('service_name').as('service_name'),
      eb.fn.countAll<string>().filterWhere('status', '=', 'open').filterWhere(matches).as('open'),
      eb.fn.countAll<string>().filterWhere('status', '=', 'closed').filterWhere(matches).as('closed'),
    ])
    .groupBy('service_code')
    .execute()
  return rows
    .map((row) => ({
      service_code: row.service_code,
      service_name: row.service_name,
      open: Number(row.open),
      closed: Number(row.closed),
    }))
    .sort(compareFrequency)
}

/** Finds an issue with its history: the one that changed last, if several sources use its number. */
export async function findIssue(
  state: State,
  scope: Scope,
  { regionId, issueId, source }: { regionId: string; issueId: string; source: string | undefined },
): Promise<IssueWithHistory> {
  await findRegion(state, scope, regionId)
  let matchingIssues = state
    .as(scope)
    .selectFrom('issue')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('issue_id', '=', issueId)
  if (source !== undefined) matchingIssues = matchingIssues.where('source', '=', source)
  const row = await matchingIssues
    .orderBy('version_time', 'desc')
    .orderBy('source')
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such issue in this region.'))
  return toIssueWithHistory(row)
}

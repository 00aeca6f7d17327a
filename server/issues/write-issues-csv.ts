import { Readable } from 'node:stream'
import { csvLine } from '#contract/csv.ts'
import type { Issue, IssueFilters, IssueSort } from '#contract/issues.ts'
import { RawResponse } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { issueConditions } from './issue-conditions.ts'
import { listIssues } from './list-issues.ts'

/** Columns of every issue, followed by the fields of districts. Times in UTC, `resolution_time` in hours. */
export const issueCsvColumns = [
  'id',
  'source',
  'service_code',
  'service_name',
  'status',
  'source_status',
  'requested_time',
  'updated_time',
  'closed_time',
  'resolution_time',
  'address',
  'lat',
  'lon',
  'description',
  'first_seen_time',
] as const satisfies readonly (keyof Issue)[]

/** Returns the line of an issue, with a column for each of the named district fields. */
export const toIssueCsvLine = (issue: Issue, districts: readonly string[]): string => {
  const values = issueCsvColumns.map((column) => issue[column])
  return `${csvLine([...values, ...districts.map((name) => issue.districts[name])])}\n`
}

/** Issues per query and chunk of the file. */
const batchSize = 5000

type IssueQuery = IssueFilters & { order_by?: IssueSort | undefined }

/** Lists the names of the district fields that occur in the matching issues. They differ by source. */
async function listDistricts(
  state: State,
  scope: Scope,
  regionId: string,
  query: IssueFilters,
): Promise<string[]> {
  const { timezone } = await findRegion(state, scope, regionId)
  const rows = await state
    .as(scope)
    .selectFrom('issue')
    .where('region_id', '=', regionId)
    .where(issueConditions(query, timezone))
    .select(({ fn }) => fn<string>('jsonb_object_keys', ['districts']).as('district'))
    .distinct()
    .execute()
  return rows.map(({ district }) => district).toSorted()
}

/** Yields the header, then the lines of the matching issues in batches. */
async function* writeCsvLines(
  state: State,
  scope: Scope,
  { regionId, query, districts }: { regionId: string; query: IssueQuery; districts: readonly string[] },
): AsyncGenerator<string> {
  yield `${[...issueCsvColumns, ...districts.map((name) => `district_${name}`)].join(',')}\n`
  // Issues that arrive meanwhile shift the pages, so issues that were already written are skipped.
  const writtenKeys = new Set<string>()
  for (let page = 1; ; page++) {
    const { items, total } = await listIssues(state, scope, regionId, { ...query, page, size: batchSize })
    const unwritten = items.filter((issue) => !writtenKeys.has(toIssueKey(issue)))
    for (const issue of unwritten) writtenKeys.add(toIssueKey(issue))
    if (unwritten.length) yield unwritten.map((issue) => toIssueCsvLine(issue, districts)).join('')
    if (items.length === 0 || page * batchSize >= total) return
  }
}

const toIssueKey = ({ source, id }: Issue): string => `${source} ${id}`

/** Streams all matching issues as a CSV file, named after the region and the days. */
export async function writeIssuesCsv(
  state: State,
  scope: Scope,
  regionId: string,
  query: IssueQuery,
): Promise<RawResponse> {
  const districts = await listDistricts(state, scope, regionId, query)
  const days = [query.start_date, query.end_date].filter((day) => day !== undefined)
  const fileName = `${['issues', regionId, ...days].join('_')}.csv`
  return new RawResponse(Readable.from(writeCsvLines(state, scope, { regionId, query, districts })), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
  })
}

import { storeInTurns } from '#server/regions/store-in-turns.ts'
import { overwrite } from '#server/stores/insert-rows.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { IssueReport } from './issue-report.ts'
import { type KnownIssue, mergeIssue } from './merge-issue.ts'
import { readKnownIssue, toIssueRow } from './stored-issue.ts'

/** Where reports come from. */
export interface ReportSource {
  regionId: string
  /** A feed's id; `files` for files. */
  source: string
  /** When they were received, ms since 1970. */
  observed: number
  /** The import of the reports, with which they can be removed; null for feeds. */
  importId: string | null
}

/** One source for all files, because the same number in two files is the same issue. */
export const fileSource = 'files'

/** Rows per statement; PostgreSQL allows 65,535 parameters. */
const batchSize = 500
const keyColumns = ['region_id', 'source', 'issue_id'] as const

interface MergedIssue {
  known: KnownIssue
  imports: string[]
  isChanged: boolean
  /** Whether the row changed, even if only by its import. */
  needsWrite: boolean
}

/** Merges reports of issues with the stored ones. Returns the number of changed issues. */
async function storeBatch(
  store: Store,
  { regionId, source, observed, importId }: ReportSource,
  reports: readonly IssueReport[],
): Promise<number> {
  const ids = [...new Set(reports.map(({ issueId }) => issueId))]
  const rows = await store
    .selectFrom('issue')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('source', '=', source)
    .where('issue_id', 'in', ids)
    .execute()
  const merged = new Map<string, MergedIssue>(
    rows.map((row) => [
      row.issue_id,
      { known: readKnownIssue(row), imports: row.imports, isChanged: false, needsWrite: false },
    ]),
  )
  for (const report of reports) {
    const earlier = merged.get(report.issueId)
    const known = mergeIssue(earlier?.known ?? null, report, observed)
    const isNewImport = importId !== null && !earlier?.imports.includes(importId)
    // An earlier time of receipt is stored, but it is not a change of the issue.
    const hasNewContent =
      known.report !== earlier?.known.report || known.history.length !== earlier.known.history.length
    const isChanged = (earlier?.isChanged ?? false) || hasNewContent
    merged.set(report.issueId, {
      known,
      imports: isNewImport ? [...(earlier?.imports ?? []), importId] : (earlier?.imports ?? []),
      isChanged,
      needsWrite: (earlier?.needsWrite ?? false) || isNewImport || known !== earlier?.known,
    })
  }
  const changedRows = [...merged.values()]
    .filter(({ needsWrite }) => needsWrite)
    .map(({ known, imports }) => toIssueRow(regionId, source, imports, known))
  const [firstRow] = changedRows
  if (firstRow)
    await store
      .insertInto('issue')
      .values(changedRows)
      .onConflict((conflict) => conflict.columns(keyColumns).doUpdateSet(overwrite(firstRow, keyColumns)))
      .execute()
  return [...merged.values()].filter(({ isChanged }) => isChanged).length
}

/** Stores reports; an older version never replaces a newer one. Returns the number of changed issues. */
export async function storeIssues(
  state: State,
  scope: Scope,
  source: ReportSource,
  reports: readonly IssueReport[],
): Promise<number> {
  return storeInTurns(state.as(scope), source.regionId, reports, {
    batchSize,
    storeBatch: (transaction, batch) => storeBatch(transaction, source, batch),
  })
}

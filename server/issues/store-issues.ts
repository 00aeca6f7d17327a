import { storeInTurns } from '#server/regions/store-in-turns.ts'
import { overwrite } from '#server/stores/overwrite.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { IssueReport } from './issue-report.ts'
import { type KnownIssue, mergeIssue } from './merge-issue.ts'
import { knownOf, rowOf } from './stored-issue.ts'

/** The source of reports. */
export interface IssuesFrom {
  regionId: string
  /** A feed's id; `files` for files. */
  source: string
  /** When they were received, ms. */
  observed: number
  /** The import that they belong to, so that it can be removed. */
  importId: string | null
}

/** The source of all files: the same number in two files is the same issue. */
export const fileSource = 'files'

/** Rows per statement; PostgreSQL allows 65,535 parameters. */
const batchSize = 500
const keyColumns = ['region_id', 'source', 'issue_id'] as const

interface MergedIssue {
  known: KnownIssue
  imports: string[]
  isChanged: boolean
  /** Whether the row changed, if only by its import. */
  needsWrite: boolean
}

async function storeSome(
  store: Store,
  { regionId, source, observed, importId }: IssuesFrom,
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
  const there = new Map<string, MergedIssue>(
    rows.map((row) => [
      row.issue_id,
      { known: knownOf(row), imports: row.imports, isChanged: false, needsWrite: false },
    ]),
  )
  for (const report of reports) {
    const before = there.get(report.issueId)
    const known = mergeIssue(before?.known ?? null, report, observed)
    const isNew = importId !== null && !before?.imports.includes(importId)
    // An earlier receipt is stored, but is not a change of the issue.
    const isNews =
      known.report !== before?.known.report || known.history.length !== before.known.history.length
    const isChanged = (before?.isChanged ?? false) || isNews
    there.set(report.issueId, {
      known,
      imports: isNew ? [...(before?.imports ?? []), importId] : (before?.imports ?? []),
      isChanged,
      needsWrite: (before?.needsWrite ?? false) || isNew || known !== before?.known,
    })
  }
  const changed = [...there.values()]
    .filter(({ needsWrite }) => needsWrite)
    .map(({ known, imports }) => rowOf(regionId, source, imports, known))
  const [first] = changed
  if (first)
    await store
      .insertInto('issue')
      .values(changed)
      .onConflict((clash) => clash.columns(keyColumns).doUpdateSet(overwrite(first, keyColumns)))
      .execute()
  return [...there.values()].filter(({ isChanged }) => isChanged).length
}

/** Stores reports. An older version never replaces a newer one, and repetitions change nothing. Returns the number of changed issues. */
export async function storeIssues(
  state: State,
  scope: Scope,
  from: IssuesFrom,
  reports: readonly IssueReport[],
): Promise<number> {
  return storeInTurns(state, scope, from.regionId, reports, batchSize, (store, batch) =>
    storeSome(store, from, batch),
  )
}

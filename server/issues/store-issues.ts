import type { Kysely } from 'kysely'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
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

interface MergedIssue {
  known: KnownIssue
  imports: string[]
  isChanged: boolean
  /** Whether the row changed, if only by its import. */
  isTouched: boolean
}

async function storeSome(
  store: Kysely<StateTables>,
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
      { known: knownOf(row), imports: row.imports, isChanged: false, isTouched: false },
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
      isTouched: (before?.isTouched ?? false) || isNew || known !== before?.known,
    })
  }
  const changed = [...there.values()]
    .filter(({ isTouched }) => isTouched)
    .map(({ known, imports }) => rowOf(regionId, source, imports, known))
  if (changed.length)
    await store
      .insertInto('issue')
      .values(changed)
      .onConflict((clash) =>
        clash.columns(['region_id', 'source', 'issue_id']).doUpdateSet((eb) => ({
          service_code: eb.ref('excluded.service_code'),
          service_name: eb.ref('excluded.service_name'),
          description: eb.ref('excluded.description'),
          status: eb.ref('excluded.status'),
          source_status: eb.ref('excluded.source_status'),
          requested_time: eb.ref('excluded.requested_time'),
          updated_time: eb.ref('excluded.updated_time'),
          reported_closed_time: eb.ref('excluded.reported_closed_time'),
          closed_time: eb.ref('excluded.closed_time'),
          resolution_hours: eb.ref('excluded.resolution_hours'),
          address: eb.ref('excluded.address'),
          lat: eb.ref('excluded.lat'),
          lon: eb.ref('excluded.lon'),
          districts: eb.ref('excluded.districts'),
          history: eb.ref('excluded.history'),
          imports: eb.ref('excluded.imports'),
          first_seen: eb.ref('excluded.first_seen'),
          version_time: eb.ref('excluded.version_time'),
          observed_time: eb.ref('excluded.observed_time'),
          content_hash: eb.ref('excluded.content_hash'),
        })),
      )
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
  let changed = 0
  for (let first = 0; first < reports.length; first += batchSize)
    changed += await state
      .as(scope)
      .transaction()
      .execute(async (store) => {
        // Merging starts with a read, so writers of a region take turns.
        await store
          .selectFrom('region')
          .select('region_id')
          .where('region_id', '=', from.regionId)
          .forUpdate()
          .execute()
        return storeSome(store, from, reports.slice(first, first + batchSize))
      })
  return changed
}

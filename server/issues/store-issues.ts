import type { Kysely } from 'kysely'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { IssueReport } from './issue-report.ts'
import { type KnownIssue, mergeIssue } from './merge-issue.ts'
import { knownOf, rowOf } from './stored-issue.ts'

/** Where reports come from. */
export interface IssuesFrom {
  regionId: string
  /** A feed's id; `files` for files. */
  source: string
  /** When they were told, ms. */
  observed: number
  /** The import that brings them, so that it can be taken back. */
  importId: string | null
}

/** Issues of files, whichever file told them: the same number is the same issue. */
export const fileSource = 'files'

/** Rows of one statement; PostgreSQL takes 65,535 parameters. */
const atOnce = 500

interface Touched {
  known: KnownIssue
  imports: string[]
  isChanged: boolean
  /** Something is to be written, if only by which import it came. */
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
  const there = new Map<string, Touched>(
    rows.map((row) => [
      row.issue_id,
      { known: knownOf(row), imports: row.imports, isChanged: false, isTouched: false },
    ]),
  )
  for (const report of reports) {
    const before = there.get(report.issueId)
    const known = mergeIssue(before?.known ?? null, report, observed)
    const isNew = importId !== null && !before?.imports.includes(importId)
    // That it was seen earlier than known is written, but is no news of the issue.
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
  const touched = [...there.values()]
    .filter(({ isTouched }) => isTouched)
    .map(({ known, imports }) => rowOf(regionId, source, imports, known))
  if (touched.length)
    await store
      .insertInto('issue')
      .values(touched)
      .onConflict((clash) =>
        clash.columns(['region_id', 'source', 'issue_id']).doUpdateSet((of) => ({
          service_code: of.ref('excluded.service_code'),
          service_name: of.ref('excluded.service_name'),
          description: of.ref('excluded.description'),
          status: of.ref('excluded.status'),
          source_status: of.ref('excluded.source_status'),
          requested_time: of.ref('excluded.requested_time'),
          updated_time: of.ref('excluded.updated_time'),
          told_closed_time: of.ref('excluded.told_closed_time'),
          closed_time: of.ref('excluded.closed_time'),
          resolution_hours: of.ref('excluded.resolution_hours'),
          address: of.ref('excluded.address'),
          lat: of.ref('excluded.lat'),
          lon: of.ref('excluded.lon'),
          districts: of.ref('excluded.districts'),
          history: of.ref('excluded.history'),
          imports: of.ref('excluded.imports'),
          first_seen: of.ref('excluded.first_seen'),
          version_time: of.ref('excluded.version_time'),
          observed_time: of.ref('excluded.observed_time'),
          content_hash: of.ref('excluded.content_hash'),
        })),
      )
      .execute()
  return [...there.values()].filter(({ isChanged }) => isChanged).length
}

/** Takes reports in; an older version never takes the place of a newer one, and sent again nothing changes. Answers how many issues changed. */
export async function storeIssues(
  state: State,
  scope: Scope,
  from: IssuesFrom,
  reports: readonly IssueReport[],
): Promise<number> {
  let changed = 0
  for (let first = 0; first < reports.length; first += atOnce)
    changed += await state
      .as(scope)
      .transaction()
      .execute(async (store) => {
        // Who merges reads first: two writers of a region take turns.
        await store
          .selectFrom('region')
          .select('region_id')
          .where('region_id', '=', from.regionId)
          .forUpdate()
          .execute()
        return storeSome(store, from, reports.slice(first, first + atOnce))
      })
  return changed
}

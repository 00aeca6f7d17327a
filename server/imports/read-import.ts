import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Import, ImportRequirement, ImportKind, listImports as contract } from '#contract/imports.ts'
import { Problem } from '#server/http/problem.ts'
import { toLikePattern, parseOrderBy, countTotal } from '#server/stores/list-query.ts'
import type { Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { StoredSurvey } from './survey-file.ts'
import { describeContents } from './zip-tables.ts'

export type ImportRow = Selectable<StateTables['import']>

/** The rate of a shorter time would be arbitrary. */
const minRateSeconds = 0.2

/**
 * Converts a stored import to its form in the API. The rate and the remaining time depend on `at` (now).
 * @param sameAs the id of the earlier import, if the file was sent again
 */
export function readImport(row: ImportRow, at: Date, sameAs: string | null = null): Import {
  const isRunning = row.status === 'running' && row.started_time !== null
  const seconds = row.started_time
    ? ((row.finished_time ?? at).getTime() - row.started_time.getTime()) / 1000
    : 0
  const rate = seconds > minRateSeconds && Number(row.run_rows) ? Number(row.run_rows) / seconds : null
  const rowsLeft = row.progress > 0 ? Number(row.rows_read) * (1 / row.progress - 1) : null
  const asks: ImportRequirement[] = row.asks.length ? (row.asks as ImportRequirement[]) : ['mapping']
  const zip = (row.survey as StoredSurvey | null)?.zip
  return {
    import_uuid: row.import_id,
    region_id: row.region_id,
    file_name: row.file_name,
    bytes: Number(row.bytes),
    kind: row.kind as ImportKind,
    status: row.status as Import['status'],
    asks: row.status === 'needs_mapping' ? asks : [],
    layout: row.layout,
    rows_read: Number(row.rows_read),
    rows_accepted: Number(row.rows_accepted),
    rows_flagged: Number(row.rows_flagged),
    rows_rejected: Number(row.rows_set_aside),
    flags: row.flags,
    reasons: row.reasons,
    progress: row.status === 'done' ? 1 : row.progress,
    rows_per_second: rate && Math.round(rate),
    seconds_left: isRunning && rate && rowsLeft !== null ? Math.round(rowsLeft / rate) : null,
    problem: row.problem,
    notes: [...(zip ? [describeContents(zip)] : []), ...row.notes],
    created_time: row.created_time.toISOString(),
    finished_time: row.finished_time?.toISOString() ?? null,
    created_by: row.created_by,
    same_as: sameAs,
  }
}

/** Finds the stored row of an import. @throws Problem `not_found`. */
export async function findImportRow(store: Store, regionId: string, importId: string): Promise<ImportRow> {
  const row = await store
    .selectFrom('import')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('import_id', '=', importId)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such import in this region.')
  return row
}

type ListQuery = z.output<(typeof contract)['request']['query']>

/** Returns a page of the imports of a region, filtered and sorted. */
export async function listImports(store: Store, regionId: string, query: ListQuery, at: Date) {
  let imports = store.selectFrom('import').where('region_id', '=', regionId)
  if (query.status) imports = imports.where('status', '=', query.status)
  if (query.search) imports = imports.where('file_name', 'ilike', toLikePattern(query.search))
  const total = await countTotal(imports)
  const rows = await imports
    .selectAll()
    .orderBy(...parseOrderBy(query.order_by))
    .orderBy('created_time', 'desc')
    .orderBy('import_id')
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute()
  return { items: rows.map((row) => readImport(row, at)), total, page: query.page, size: query.size }
}

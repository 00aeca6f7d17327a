import type { Kysely } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { StagedRecord } from './staged.ts'

export interface StagedRow {
  row: number
  recordId: string
  staged: StagedRecord
}

const rowsPerPage = 2000

/** Rows of an import of one kind that can be published, in their order, page by page. */
export async function* stagedRows(
  store: Kysely<StateTables>,
  importId: string,
  kind: StagedRecord['kind'],
): AsyncGenerator<StagedRow[]> {
  for (let last = -1; ;) {
    const rows = await store
      .selectFrom('curb_import_row')
      .select(['row', 'record_id', 'staged'])
      .where('import_id', '=', importId)
      .where('kind', '=', kind)
      .where('staged', 'is not', null)
      .where('outcome', '!=', 'refused')
      .where('row', '>', last)
      .orderBy('row')
      .limit(rowsPerPage)
      .execute()
    if (rows.length)
      yield rows.map(({ row, record_id: recordId, staged }) => ({
        row,
        recordId,
        staged: staged as StagedRecord,
      }))
    if (rows.length < rowsPerPage) return
    last = rows.at(-1)?.row ?? last
  }
}

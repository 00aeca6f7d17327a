import type { Kysely } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { StagedRecord } from './staged.ts'

export interface StagedRow {
  row: number
  recordId: string
  staged: StagedRecord
}

const rowsPerPage = 2000

/** How many rows of each kind an import has, refused ones included; of older imports unknown. */
export type KindCounts = Partial<Record<string, number>> | undefined

/**
 * Rows of an import of one kind that can be published, in their order, page by page. Nothing is read after the last row by `kinds`:
 * each look for another one reads all rows of the other kinds.
 */
export async function* stagedRows(
  store: Kysely<StateTables>,
  { importId, kinds }: { importId: string; kinds: KindCounts },
  kind: StagedRecord['kind'],
): AsyncGenerator<StagedRow[]> {
  const count = kinds ? (kinds[kind] ?? 0) : Infinity
  for (let last = -1, read = 0; read < count;) {
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
    read += rows.length
  }
}

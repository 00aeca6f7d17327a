import type { StagedRecord } from './staged.ts'
import type { Store } from '#server/stores/state.ts'

export interface StagedRow {
  row: number
  recordId: string
  staged: StagedRecord
}

const rowsPerPage = 2000

/** Numbers of rows of an import by kind, including refused ones. Undefined for imports of older versions. */
export type KindCounts = Partial<Record<string, number>> | undefined

/**
 * Returns the rows of an import of one kind that can be published, in the order of the file, in pages.
 * Reading stops after the number of rows in `kinds`, because a search for more would read all other rows.
 */
export async function* readStagedRows(
  store: Store,
  { importId, kinds }: { importId: string; kinds: KindCounts },
  kind: StagedRecord['kind'],
): AsyncGenerator<StagedRow[]> {
  const count = kinds ? (kinds[kind] ?? 0) : Infinity
  const { lastRow } = await store
    .selectFrom('curb_import_row')
    .select(({ fn }) => fn.max<number | null>('row').as('lastRow'))
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow()
  for (let from = 0, readCount = 0; readCount < count && from <= (lastRow ?? -1); from += rowsPerPage) {
    // Each column as one JSON array, which takes a third of the time of reading rows. Pages are ranges of row
    // numbers, because with a limit PostgreSQL would sort all following rows.
    const page = await store
      .selectFrom((eb) =>
        eb
          .selectFrom('curb_import_row')
          .select(['row', 'record_id', 'staged'])
          .where('import_id', '=', importId)
          .where('kind', '=', kind)
          .where('staged', 'is not', null)
          .where('outcome', '!=', 'refused')
          .where('row', '>=', from)
          .where('row', '<', from + rowsPerPage)
          .orderBy('row')
          .as('page'),
      )
      .select(({ fn }) => [
        fn.agg<number[] | null>('json_agg', ['row']).as('row'),
        fn.agg<string[]>('json_agg', ['record_id']).as('recordId'),
        fn.agg<StagedRecord[]>('json_agg', ['staged']).as('staged'),
      ])
      .executeTakeFirstOrThrow()
    const rowNumbers = page.row ?? []
    readCount += rowNumbers.length
    if (rowNumbers.length)
      yield rowNumbers.map((row, index) => ({
        row,
        recordId: page.recordId[index]!,
        staged: page.staged[index]!,
      }))
  }
}

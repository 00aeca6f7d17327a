import { csvLine } from '#contract/csv.ts'
import type { Store } from '#server/stores/state.ts'
import { type ImportRowFilter, selectRows, toImportRow } from './import-store.ts'

const rowsPerPage = 2000

/** Returns the matching rows of an import as CSV, in the order of the file. */
export async function* toRowsCsv(
  store: Store,
  importId: string,
  filter: ImportRowFilter,
): AsyncGenerator<string> {
  yield `${csvLine(['row', 'kind', 'id', 'outcome', 'confidence', 'findings', 'source', 'staged'])}\r\n`
  for (let last = -1; ;) {
    const rows = await selectRows(store, importId, filter)
      .selectAll()
      .where('row', '>', last)
      .orderBy('row')
      .limit(rowsPerPage)
      .execute()
    if (!rows.length) return
    yield rows
      .map(toImportRow)
      .map(({ row, kind, record_id: id, outcome, confidence, findings, source, staged }) => {
        const texts = findings.map(({ field, message }) =>
          field === null ? message : `${field}: ${message}`,
        )
        return `${csvLine([row, kind, id, outcome, confidence, texts.join(' '), JSON.stringify(source), staged === null ? '' : JSON.stringify(staged)])}\r\n`
      })
      .join('')
    last = rows.at(-1)?.row ?? last
  }
}

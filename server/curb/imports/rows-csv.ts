import { csvLine } from '#contract/csv.ts'
import type { Store } from '#server/stores/state.ts'
import { type ImportRowFilter, selectRows, toImportRow } from './import-store.ts'

/** Rows that are read at once. */
const rowsPerPage = 2000

/** Yields the matching rows of an import as CSV, in the order of the file. */
export async function* toRowsCsv(
  store: Store,
  importId: string,
  filter: ImportRowFilter,
): AsyncGenerator<string> {
  yield `${csvLine(['row', 'kind', 'id', 'outcome', 'confidence', 'findings', 'source', 'staged'])}\r\n`
  for (let lastRow = -1; ;) {
    const rows = await selectRows(store, importId, filter)
      .selectAll()
      .where('row', '>', lastRow)
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
        const stagedText = staged === null ? '' : JSON.stringify(staged)
        const fields = [
          row,
          kind,
          id,
          outcome,
          confidence,
          texts.join(' '),
          JSON.stringify(source),
          stagedText,
        ]
        return `${csvLine(fields)}\r\n`
      })
      .join('')
    lastRow = rows.at(-1)?.row ?? lastRow
  }
}

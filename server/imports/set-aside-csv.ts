import { csvLine } from '#contract/csv.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import { fileReasons } from '#server/table-files/row-reasons.ts'
import { setAsideReasons } from './trips/trip-row.ts'

interface Row {
  line: string
  reason: string
  detail: string
  raw: string
}

const reasonTexts: Readonly<Record<string, string>> = { ...fileReasons, ...setAsideReasons }

/** Rows per query, so that a million of them take little memory. */
const batchSize = 20_000

/** The columns of a stored row. Rows of earlier versions are lists of every column, also personal ones: they are not exported. */
function fieldsOf(raw: string): Record<string, string> {
  const row: unknown = JSON.parse(raw)
  return typeof row === 'object' && row !== null && !Array.isArray(row) ? (row as Record<string, string>) : {}
}

/** The rejected rows of an import as CSV: line, reason, detail, and the columns of the row that are read. */
export async function* setAsideCsv(store: Facts, scope: Scope, importId: string): AsyncGenerator<string> {
  const isOfImport = sql`import_id = ${bind('UUID', importId)}`
  const [sample] = await store.rows<{ raw: string }>(
    scope,
    sql`select raw from ${facts('set_aside_rows')} where ${isOfImport} and startsWith(raw, '{"') order by line limit 1`,
  )
  const columns = sample ? Object.keys(fieldsOf(sample.raw)) : []
  const csv = (rows: readonly (readonly string[])[]): string =>
    rows.map((row) => `${csvLine(row)}\r\n`).join('')
  yield csv([['line', 'reason', 'found', ...columns]])
  for (let after = 0; ;) {
    const rows = await store.rows<Row>(
      scope,
      sql`select line, reason, detail, raw from ${facts('set_aside_rows')} where ${isOfImport} and line > ${bind('UInt64', after)} order by line limit ${bind('UInt32', batchSize)}`,
    )
    if (!rows.length) return
    yield csv(
      rows.map(({ line, reason, detail, raw }) => {
        const fields = fieldsOf(raw)
        // Earlier versions stored the whole line as detail of an open quotation mark.
        return [
          line,
          reasonTexts[reason] ?? reason,
          reason === 'unclosed_quote' ? '' : detail,
          ...columns.map((name) => fields[name] ?? ''),
        ]
      }),
    )
    after = Number(rows.at(-1)?.line)
  }
}

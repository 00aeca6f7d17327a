import { csvLine } from '#contract/csv.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as factTable, sql } from '#server/stores/sql.ts'
import { fileReasons } from '#server/table-files/row-reasons.ts'
import { setAsideReasons } from './trips/trip-row.ts'

interface RejectedRow {
  line: string
  reason: string
  detail: string
  raw: string
}

const reasonTexts: Readonly<Record<string, string>> = { ...fileReasons, ...setAsideReasons }
/** The number of rows per query, which limits the memory that an export takes. */
const batchSize = 20_000

/** Parses the fields of a stored row. Lists, of earlier versions, may be personal and are not exported. */
function parseFields(raw: string): Record<string, string> {
  const row: unknown = JSON.parse(raw)
  return typeof row === 'object' && row !== null && !Array.isArray(row) ? (row as Record<string, string>) : {}
}

/** Yields an import's rejected rows as CSV: line, reason, detail, and the fields of the columns that are read. */
export async function* writeRejectedRows(
  facts: Facts,
  scope: Scope,
  importId: string,
): AsyncGenerator<string> {
  const importCondition = sql`import_id = ${bind('UUID', importId)}`
  const [sample] = await facts.rows<{ raw: string }>(
    scope,
    sql`
      select raw
      from ${factTable('set_aside_rows')}
      where ${importCondition} and startsWith(raw, '{"')
      order by line
      limit 1`,
  )
  const columns = sample ? Object.keys(parseFields(sample.raw)) : []
  const toCsv = (rows: readonly (readonly string[])[]): string =>
    rows.map((row) => `${csvLine(row)}\r\n`).join('')
  yield toCsv([['line', 'reason', 'found', ...columns]])
  for (let lastLine = 0; ;) {
    const rows = await facts.rows<RejectedRow>(
      scope,
      sql`
        select line, reason, detail, raw
        from ${factTable('set_aside_rows')}
        where ${importCondition} and line > ${bind('UInt64', lastLine)}
        order by line
        limit ${bind('UInt32', batchSize)}`,
    )
    if (!rows.length) return
    yield toCsv(
      rows.map(({ line, reason, detail, raw }) => {
        const fields = parseFields(raw)
        // Earlier versions stored the complete line, with personal data, as the detail of `unclosed_quote`.
        return [
          line,
          reasonTexts[reason] ?? reason,
          reason === 'unclosed_quote' ? '' : detail,
          ...columns.map((name) => fields[name] ?? ''),
        ]
      }),
    )
    lastLine = Number(rows.at(-1)?.line)
  }
}

import { csvLine } from '#contract/csv.ts'
import type { PaymentImportRow } from '#contract/curb-payment-imports.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, sql } from '#server/stores/sql.ts'
import { reportRows } from './queries.ts'

const rowsPerStatement = 5000
const selectedColumns = sql`row, code, effect, message, source`

type ReportRow = Omit<PaymentImportRow, 'row'> & { row: string }

interface ReportContext {
  facts: Facts
  scope: Scope
  regionId: string
  importId: string
}

interface ReportFilter {
  code?: string | undefined
  effect?: string | undefined
}

/** Lists one page of the report of an import, in the order of the file. */
export async function listReportRows(
  { facts, scope, regionId, importId }: ReportContext,
  { page, size, ...filter }: ReportFilter & { page: number; size: number },
  signal: AbortSignal,
): Promise<{ items: PaymentImportRow[]; total: number; page: number; size: number }> {
  const source = reportRows(regionId, importId, filter)
  const [rows, [count]] = await Promise.all([
    facts.rows<ReportRow>(
      scope,
      sql`
      select ${selectedColumns}
      from ${source}
      order by row, code
      limit ${bind('UInt32', size)} offset ${bind('UInt64', (page - 1) * size)}`,
      { signal },
    ),
    facts.rows<{ total: string }>(scope, sql`select toString(count()) as total from ${source}`, { signal }),
  ])
  const items = rows.map((row) => ({ ...row, row: Number(row.row) }))
  return { items, total: Number(count?.total ?? 0), page, size }
}

/** Streams the report of an import as CSV, in the order of the file. */
export async function* streamReportCsv(
  { facts, scope, regionId, importId }: ReportContext,
  filter: ReportFilter,
): AsyncGenerator<string> {
  yield `${csvLine(['row', 'reason', 'effect', 'message', 'source'])}\r\n`
  for (let offset = 0; ; offset += rowsPerStatement) {
    const rows = await facts.rows<ReportRow>(
      scope,
      sql`
      select ${selectedColumns}
      from ${reportRows(regionId, importId, filter)}
      order by row, code
      limit ${bind('UInt32', rowsPerStatement)} offset ${bind('UInt64', offset)}`,
    )
    if (!rows.length) return
    yield rows
      .map(
        ({ row, code, effect, message, source }) =>
          `${csvLine([Number(row), code, effect, message, source])}\r\n`,
      )
      .join('')
  }
}

import { ExportQuestion } from '#contract/exports.ts'
import { systemScope } from '#server/identity/scope.ts'
import { writeAudit } from '#server/identity/write-audit.ts'
import type { State } from '#server/stores/state.ts'
import type { ExportRow } from './export-store.ts'

/** Describes an export as the path of its call, with filters and the number of rows. */
function describeAsPath(
  { region_id: regionId, table_name: table, month, operator, format, question }: ExportRow,
  rows: number,
): string {
  if (month !== null)
    return `/v2/regions/${regionId}/reports/monthly_zips?${new URLSearchParams({ month, rows: String(rows) })}`
  if (operator !== null)
    return `/v2/regions/${regionId}/reports/operator_zips?${new URLSearchParams({ operator, rows: String(rows) })}`
  const { columns, ...filters } = ExportQuestion.parse(question)
  const query = new URLSearchParams({ format: format ?? '', rows: String(rows) })
  for (const [name, value] of Object.entries(filters))
    if (value !== null && value.length > 0) query.set(name, String(value))
  if (columns.length) query.set('columns', String(columns.length))
  return `/v2/regions/${regionId}/reports/raw_data/${table}?${query}`
}

/** Writes a finished export to the audit log: who exported which table, with filters and number of rows. */
export async function auditExport(
  state: State,
  row: ExportRow,
  { organizationId, rows, at }: { organizationId: string; rows: number; at: Date },
): Promise<void> {
  if (row.user_id === null) return
  const user = await state
    .as(systemScope)
    .selectFrom('user')
    .select('email')
    .where('id', '=', row.user_id)
    .executeTakeFirst()
  await writeAudit(state, {
    viewer: { userId: row.user_id, email: user?.email ?? '', organizationId, admin: null },
    action: 'exportRows',
    method: 'POST',
    path: describeAsPath(row, rows),
    status: 200,
    address: null,
    at,
  })
}

// Starts exports, waits for them and reads their files.
import { gunzipSync } from 'node:zlib'
import Papa from 'papaparse'
import { type Export, getExport, startExport } from '#contract/exports.ts'
import type { ExportTableName } from '#contract/export-tables.ts'
import { call, type CallInput, request, type SignedIn, type TestApp } from './app.ts'

export type ExportRequest = NonNullable<CallInput<typeof startExport>['body']>

export const startTestExport = (
  app: TestApp,
  as: SignedIn,
  table: ExportTableName,
  body: ExportRequest,
  region_id = 'alder',
): Promise<Export> => call(app, as, startExport, { params: { region_id, table }, body })

export async function waitForExport(
  app: TestApp,
  as: SignedIn,
  { export_id }: Pick<Export, 'export_id'>,
  region_id = 'alder',
) {
  for (;;) {
    const built = await call(app, as, getExport, { params: { region_id, export_id } })
    if (built.status !== 'queued' && built.status !== 'running') return built
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Downloads the file of a link, without a sign-in. */
export const downloadBytes = async (app: TestApp, url: string | null): Promise<Buffer> =>
  (await request(app, { method: 'GET', url: url ?? '' })).rawPayload

export const parseCsv = (csv: string): Record<string, string>[] =>
  Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data

/** Runs an export and returns it with the rows of its file. */
export async function runExport(app: TestApp, as: SignedIn, table: ExportTableName, body: ExportRequest) {
  const state = await waitForExport(app, as, await startTestExport(app, as, table, body))
  if (state.status !== 'ready') throw new Error(`${table}: ${state.status} ${state.problem}`)
  const bytes = await downloadBytes(app, state.url)
  return { state, bytes, rows: state.format === 'csv' ? parseCsv(gunzipSync(bytes).toString()) : [] }
}

import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import { countTotal } from '#server/stores/list-query.ts'
import {
  type Export,
  type ExportFormat,
  exportDays,
  ExportQuestion,
  type ExportStatus,
  type MonthlyZip,
  type OperatorZip,
} from '#contract/exports.ts'
import type { ExportTableName } from '#contract/export-tables.ts'
import { dayMs } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { type ExportLinks, getFileName } from './export-files.ts'

export type ExportRow = Selectable<StateTables['export']>

/** Identifies an export that is waiting to be written. */
export interface ExportTask {
  organizationId: string
  regionId: string
  exportId: string
}

export const exportJob = { name: 'write-exports' }
/** A lease that was not renewed for this time is free, because its process has ended. */
const leaseMs = 30_000
/** Maximum number of times that an export is started; then it fails, because the process ended each time. */
export const maxAttempts = 3
/** Validity of a link to a monthly zip. */
const zipLinkMs = dayMs
const openStatuses = ['queued', 'running']
const numberOrNull = (value: string | null): number | null => (value === null ? null : Number(value))

/** Converts the fields that all exports have in common. */
function toExportFile(row: ExportRow, links: ExportLinks, at: Date) {
  const expires = row.expires_time ?? new Date(at.getTime() + zipLinkMs)
  return {
    export_id: row.export_id,
    status: row.status as ExportStatus,
    rows: Number(row.rows),
    total_rows: numberOrNull(row.total_rows),
    bytes: numberOrNull(row.bytes),
    sha256: row.sha256,
    problem: row.problem,
    file_name: getFileName(row),
    url: row.status === 'ready' && expires > at ? links.createLink(row.export_id, expires) : null,
    created_time: row.created_time.toISOString(),
    finished_time: row.finished_time?.toISOString() ?? null,
    expires_time: row.expires_time?.toISOString() ?? null,
  }
}

/** Converts an export of a table to its representation in the API. */
export const toExport = (row: ExportRow, links: ExportLinks, at: Date): Export => ({
  ...toExportFile(row, links, at),
  table: row.table_name as ExportTableName,
  format: row.format as ExportFormat,
  question: ExportQuestion.parse(row.question),
  is_exact: row.is_exact,
})

/** Converts a monthly zip to its representation in the API. */
export const toMonthlyZip = (row: ExportRow, links: ExportLinks, at: Date): MonthlyZip => ({
  ...toExportFile(row, links, at),
  month: row.month ?? '',
  version: row.version ?? 1,
})

/** The owner of exports: a user, or an API key of the user that is limited to one operator. */
export interface ExportOwner {
  regionId: string
  userId: string
  onlyOperator: string | null
}

const selectExports = (store: Store, { regionId, userId, onlyOperator }: ExportOwner) => {
  const exportsOfUser = store
    .selectFrom('export')
    .where('region_id', '=', regionId)
    .where('user_id', '=', userId)
    .where('operator', 'is', null)
  return onlyOperator === null
    ? exportsOfUser
    : exportsOfUser.where(
        ({ ref }) => ref('question', '->>').key('operators' as never),
        '=',
        JSON.stringify([onlyOperator]),
      )
}

/** Returns a page of an owner's exports, newest first, with the number of all. */
export async function listExportRows(
  store: Store,
  { page, size, ...owner }: ExportOwner & { page: number; size: number },
): Promise<{ rows: ExportRow[]; total: number }> {
  const query = selectExports(store, owner)
  const total = await countTotal(query)
  const rows = await query
    .selectAll()
    .orderBy('created_time', 'desc')
    .orderBy('export_id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { rows, total }
}

/** Finds an export. @throws Problem `not_found` if there is none, or if it belongs to someone else. */
export async function findExportRow(
  store: Store,
  { exportId, ...owner }: ExportOwner & { exportId: string },
): Promise<ExportRow> {
  const row = await selectExports(store, owner)
    .selectAll()
    .where('export_id', '=', exportId)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such export.')
  return row
}

/** Converts a zip about an operator to its representation in the API. */
export const toOperatorZip = (row: ExportRow, links: ExportLinks, at: Date): OperatorZip => ({
  ...toExportFile(row, links, at),
  operator: row.operator ?? '',
})

/** Lists zips about operators of a region, newest first. */
export const listOperatorZipRows = (store: Store, regionId: string): Promise<ExportRow[]> =>
  store
    .selectFrom('export')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('operator', 'is not', null)
    .orderBy('created_time', 'desc')
    .execute()

/** Lists the monthly zips of a region, newest first. */
export const listMonthlyZipRows = (store: Store, regionId: string): Promise<ExportRow[]> =>
  store
    .selectFrom('export')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('month', 'is not', null)
    .orderBy('month', 'desc')
    .orderBy('version', 'desc')
    .execute()

export const insertExport = (
  store: Store,
  values: Omit<Insertable<StateTables['export']>, 'export_id' | 'status'>,
): Promise<ExportRow> =>
  store
    .insertInto('export')
    .values({ ...values, export_id: randomUUID(), status: 'queued' })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Returns the number of a user's exports that are waiting or running. */
export async function countOpenExports(store: Store, userId: string): Promise<number> {
  const { n } = await store
    .selectFrom('export')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('user_id', '=', userId)
    .where('status', 'in', openStatuses)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Finds the oldest export that is waiting or was abandoned by its process; null if there is none. */
export async function findNextExport(state: State, at: Date): Promise<ExportTask | null> {
  const row = await state
    .as(systemScope)
    .selectFrom('export')
    .innerJoin('region', 'region.region_id', 'export.region_id')
    .select(['export.export_id', 'export.region_id', 'region.organization_id'])
    .where('export.status', 'in', openStatuses)
    .where((is) => is.or([is('lease_until', 'is', null), is('lease_until', '<', at)]))
    .orderBy('export.created_time')
    .limit(1)
    .executeTakeFirst()
  return row
    ? { organizationId: row.organization_id, regionId: row.region_id, exportId: row.export_id }
    : null
}

export const getExportStore = (state: State, { organizationId, regionId }: ExportTask) =>
  state.as(regionScope(organizationId, regionId))

/** Claims an export for one process. Returns undefined if another process was faster. */
export const claimExport = (
  store: Store,
  exportId: string,
  owner: string,
  at: Date,
): Promise<ExportRow | undefined> =>
  store
    .updateTable('export')
    .set((row) => ({
      status: 'running',
      lease_owner: owner,
      lease_until: new Date(at.getTime() + leaseMs),
      started_time: at,
      rows: 0,
      attempts: row('attempts', '+', 1),
    }))
    .where('export_id', '=', exportId)
    .where('status', 'in', openStatuses)
    .where((is) => is.or([is('lease_until', 'is', null), is('lease_until', '<', at)]))
    .returningAll()
    .executeTakeFirst()

export interface ExportRun {
  row: Pick<ExportRow, 'export_id' | 'month'>
  /** Who has the lease: a random id of the run. */
  owner: string
}

/** How far a run is. */
export interface Progress {
  rows: number
  total: number | null
}

/** Renews the lease, stores the progress. Returns false if the export was canceled or claimed by others. */
export async function renewExport(
  store: Store,
  { row, owner }: ExportRun,
  { rows, total }: Progress,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await store
    .updateTable('export')
    .set({ lease_until: new Date(at.getTime() + leaseMs), rows, total_rows: total })
    .where('export_id', '=', row.export_id)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The outcome of a run; `queued` if it is to be started again. */
export type ExportEnd =
  | { status: 'ready'; rows: number; bytes: number; sha256: string }
  | { status: 'failed'; problem: string }
  | { status: 'queued' }

/** Stores the outcome of a run. Returns false if the export was canceled meanwhile. */
export async function endExport(
  store: Store,
  { row, owner }: ExportRun,
  end: ExportEnd,
  at: Date,
): Promise<boolean> {
  const isReady = end.status === 'ready'
  const { numUpdatedRows } = await store
    .updateTable('export')
    .set({
      status: end.status,
      lease_owner: null,
      lease_until: null,
      problem: end.status === 'failed' ? end.problem : null,
      finished_time: end.status === 'queued' ? null : at,
      ...(end.status === 'queued' ? { attempts: 0 } : {}),
      ...(isReady
        ? {
            rows: end.rows,
            total_rows: end.rows,
            bytes: end.bytes,
            sha256: end.sha256,
            expires_time: row.month === null ? new Date(at.getTime() + exportDays * dayMs) : null,
          }
        : {}),
    })
    .where('export_id', '=', row.export_id)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Cancels an export; a run stops within a second. @throws Problem `conflict` if it has ended. */
export async function cancelExportRow(store: Store, exportId: string, at: Date): Promise<ExportRow> {
  const row = await store
    .updateTable('export')
    .set({ status: 'canceled', finished_time: at, problem: null })
    .where('export_id', '=', exportId)
    .where('status', 'in', openStatuses)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new Problem('conflict', 'This export has ended already.')
  return row
}

/** Marks expired exports. Returns the ids of exports that have a file or are being written. */
export async function expireExports(state: State, at: Date): Promise<Set<string>> {
  const store = state.as(systemScope)
  await store
    .updateTable('export')
    .set({ status: 'expired' })
    .where('status', '=', 'ready')
    .where('expires_time', '<=', at)
    .execute()
  const rows = await store
    .selectFrom('export')
    .select('export_id')
    .where((is) =>
      is.or([
        is('status', '=', 'ready'),
        is.and([is('status', 'in', openStatuses), is('lease_until', '>', at)]),
      ]),
    )
    .execute()
  return new Set(rows.map((row) => row.export_id))
}

/** Frees leases of a previous process. Called before the job starts, by the only server of its stores. */
export async function freeExportLeases(state: State): Promise<void> {
  await state
    .as(systemScope)
    .updateTable('export')
    .set({ lease_owner: null, lease_until: null })
    .where('lease_until', 'is not', null)
    .execute()
}

/** Days for which exports without a file remain in the list. */
const listedDays = 60

/** Deletes exports that have no file and were created long ago. */
export async function removeOldExports(state: State, at: Date): Promise<void> {
  await state
    .as(systemScope)
    .deleteFrom('export')
    .where('status', 'in', ['failed', 'canceled', 'expired'])
    .where('created_time', '<', new Date(at.getTime() - listedDays * dayMs))
    .execute()
}

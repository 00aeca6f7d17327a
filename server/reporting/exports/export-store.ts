import type { Selectable } from 'kysely'
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
import { Problem } from '#server/http/problem.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { type ExportLinks, fileNameOf } from './export-files.ts'

export type ExportRow = Selectable<StateTables['export']>

/** One export to be run. */
export interface ExportTask {
  organizationId: string
  regionId: string
  exportId: string
}

export const exportJob = { name: 'write-exports' }

/** A lease that is not renewed for this long is free: its process is gone. */
const leaseMs = 30_000
/** Starts of the process after which an export that never ended is given up. */
export const maxAttempts = 3
/** A link to a monthly zip works for so long after it was shown. */
const zipLinkMs = 86_400_000

const openStatuses = ['queued', 'running']
const numberOrNull = (value: string | null): number | null => (value === null ? null : Number(value))

function fileOf(row: ExportRow, links: ExportLinks, at: Date) {
  const expires = row.expires_time ?? new Date(at.getTime() + zipLinkMs)
  return {
    export_id: row.export_id,
    status: row.status as ExportStatus,
    rows: Number(row.rows),
    total_rows: numberOrNull(row.total_rows),
    bytes: numberOrNull(row.bytes),
    sha256: row.sha256,
    problem: row.problem,
    file_name: fileNameOf(row),
    url: row.status === 'ready' && expires > at ? links.linkOf(row.export_id, expires) : null,
    created_time: row.created_time.toISOString(),
    finished_time: row.finished_time?.toISOString() ?? null,
    expires_time: row.expires_time?.toISOString() ?? null,
  }
}

/** An export of a table in the form of the API. */
export const readExport = (row: ExportRow, links: ExportLinks, at: Date): Export => ({
  ...fileOf(row, links, at),
  table: row.table_name as ExportTableName,
  format: row.format as ExportFormat,
  question: ExportQuestion.parse(row.question),
  is_exact: row.is_exact,
})

export const readMonthlyZip = (row: ExportRow, links: ExportLinks, at: Date): MonthlyZip => ({
  ...fileOf(row, links, at),
  month: row.month ?? '',
  version: row.version ?? 1,
})

/** The owner of exports: a user, or a key of the user that is limited to one operator. */
export interface ExportOwner {
  regionId: string
  userId: string
  onlyOperator: string | null
}

const exportsOf = (store: Store, { regionId, userId, onlyOperator }: ExportOwner) => {
  const own = store
    .selectFrom('export')
    .where('region_id', '=', regionId)
    .where('user_id', '=', userId)
    .where('operator', 'is', null)
  return onlyOperator === null
    ? own
    : own.where(
        ({ ref }) => ref('question', '->>').key('operators' as never),
        '=',
        JSON.stringify([onlyOperator]),
      )
}

/** Exports in a region, newest first. */
export async function listExportRows(
  store: Store,
  { page, size, ...owner }: ExportOwner & { page: number; size: number },
): Promise<{ rows: ExportRow[]; total: number }> {
  const own = exportsOf(store, owner)
  const { total } = await own.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const rows = await own
    .selectAll()
    .orderBy('created_time', 'desc')
    .orderBy('export_id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { rows, total: Number(total) }
}

/** One export. Throws 404 for those of others. */
export async function findExportRow(
  store: Store,
  { exportId, ...owner }: ExportOwner & { exportId: string },
): Promise<ExportRow> {
  const row = await exportsOf(store, owner).selectAll().where('export_id', '=', exportId).executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such export.')
  return row
}

export const readOperatorZip = (row: ExportRow, links: ExportLinks, at: Date): OperatorZip => ({
  ...fileOf(row, links, at),
  operator: row.operator ?? '',
})

/** Zips about operators of a region, newest first. */
export const listOperatorZipRows = (store: Store, regionId: string): Promise<ExportRow[]> =>
  store
    .selectFrom('export')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('operator', 'is not', null)
    .orderBy('created_time', 'desc')
    .execute()

/** Monthly zips of a region, newest first. */
export const listZipRows = (store: Store, regionId: string): Promise<ExportRow[]> =>
  store
    .selectFrom('export')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('month', 'is not', null)
    .orderBy('month', 'desc')
    .orderBy('version', 'desc')
    .execute()

/** Exports of a user that wait or run. */
export async function countOpenExports(store: Store, userId: string): Promise<number> {
  const { n } = await store
    .selectFrom('export')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('user_id', '=', userId)
    .where('status', 'in', openStatuses)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The oldest export that waits or lost its process. */
export async function nextExport(state: State, at: Date): Promise<ExportTask | null> {
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

/** The state store within the region of an export. */
export const exportStore = (state: State, { organizationId, regionId }: ExportTask) =>
  state.as(regionScope(organizationId, regionId))

/** Takes an export for one process; undefined where another one was faster. */
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

interface Progress {
  rows: number
  total: number | null
}

/** Renews the lease and stores the progress; false where the export was canceled or taken by another process. */
export async function renewExport(
  store: Store,
  exportId: string,
  owner: string,
  { rows, total }: Progress,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await store
    .updateTable('export')
    .set({ lease_until: new Date(at.getTime() + leaseMs), rows, total_rows: total })
    .where('export_id', '=', exportId)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** How a run ends; `queued`: it starts again later. */
export type ExportEnd =
  | { status: 'ready'; rows: number; bytes: number; sha256: string }
  | { status: 'failed'; problem: string }
  | { status: 'queued' }

/** Ends a run. False where the export was canceled meanwhile. */
export async function endExport(
  store: Store,
  { export_id: exportId, month }: Pick<ExportRow, 'export_id' | 'month'>,
  owner: string,
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
            expires_time: month === null ? new Date(at.getTime() + exportDays * 86_400_000) : null,
          }
        : {}),
    })
    .where('export_id', '=', exportId)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Cancels an export that waits or runs; a run sees it within a second. Throws where it has ended. */
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

/** Marks exports as expired when their time is over, and returns the ids of exports with a file, or that may be written. */
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

/** Frees the leases of a process that is gone. To be run before the job starts, and only by the one process of its stores. */
export async function freeExportLeases(state: State): Promise<void> {
  await state
    .as(systemScope)
    .updateTable('export')
    .set({ lease_owner: null, lease_until: null })
    .where('lease_until', 'is not', null)
    .execute()
}

/** Records of exports without a file are listed for so long. */
const listedDays = 60

/** Removes records of exports that ended long ago and have no file. */
export async function removeOldExports(state: State, at: Date): Promise<void> {
  await state
    .as(systemScope)
    .deleteFrom('export')
    .where('status', 'in', ['failed', 'canceled', 'expired'])
    .where('created_time', '<', new Date(at.getTime() - listedDays * 86_400_000))
    .execute()
}

import { markDirty } from '#server/derived/dirty-spans.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { removeCurbFiles } from '../imports/curb-files.ts'
import { storeLocations } from './locations.ts'
import {
  readCounts,
  readMapping,
  type PaymentCounts,
  type PaymentImportRow,
  readPlaces,
} from './payment-import-store.ts'
import { paymentTableColumns } from './payment-rows.ts'
import {
  laneDeletionRows,
  paymentDeletionRows,
  laneColumns,
  publishedLaneRows,
  publishedRows,
  type StagedImport,
  stagedSumsSql,
  storedDaysSql,
  storedSumsSql,
} from './queries.ts'
import { paymentSessions } from './stitch/payment-sessions-product.ts'
import { type PaymentSpan, formatSpan } from './stitch/queries.ts'
import { paymentSums } from './sums/payment-sums-product.ts'

/** What publishing and undoing need. */
export interface Publishing {
  state: State
  facts: Facts
  blobs: BlobStore
  nextVersion: () => bigint
  now: () => Date
}

const queryOptions = { limits: { seconds: 600, memory: 6 * 2 ** 30 } }

const toStagedImport = (row: PaymentImportRow): StagedImport => ({
  regionId: row.region_id,
  importId: row.import_id,
  vendor: row.vendor,
  countsRepeated: readMapping(row)?.repeated_rows === 'payment',
})

/** Reads the sum and the first and last time (s) of stored payments of an import; null if none. */
async function readStoredSum(facts: Facts, scope: Scope, regionId: string, importId: string) {
  const [stored] = await facts.rows<{ rows: string; total: string; first: string; last: string }>(
    scope,
    storedSumsSql(regionId, importId),
    queryOptions,
  )
  if (!stored || Number(stored.rows) === 0) return null
  return {
    sum: { rows: Number(stored.rows), amount: Number(stored.total) },
    times: { from: Number(stored.first), until: Number(stored.last) },
  }
}

/** Marks the sums and sessions that depend on the payments of an import or batch. */
export async function markPaymentsDirty(
  { state, facts, now }: Publishing,
  scope: Scope,
  regionId: string,
  span: PaymentSpan,
): Promise<void> {
  const rows = await facts.rows<{ day: string }>(scope, storedDaysSql(regionId, span.importId), queryOptions)
  const days = rows.map(({ day }) => day)
  const at = now()
  await markDirty(state, scope, { product: paymentSums, regionId }, { spans: days, time: at })
  await markDirty(
    state,
    scope,
    { product: paymentSessions, regionId },
    { spans: [formatSpan(span)], time: at },
  )
}

/** Stores the staged payments of an import. Idempotent: it can be repeated if a server stops meanwhile. */
export async function publishPayments(
  publishing: Publishing,
  scope: Scope,
  row: PaymentImportRow,
): Promise<void> {
  const { state, facts, blobs, nextVersion, now } = publishing
  const { region_id: regionId, import_id: importId } = row
  const staged = toStagedImport(row)
  const at = now()
  const links = await storeLocations(state.as(scope), regionId, readPlaces(row), at)
  // Payments that other imports published since staging are duplicates now.
  const counts: PaymentCounts = { ...readCounts(row), ...(await readStagedSums(facts, scope, staged)) }
  const version = nextVersion()
  const payments = publishedRows(staged, links, version)
  await facts.add(scope, 'curb_payments', { columns: paymentTableColumns, rows: payments, ...queryOptions })
  const lanes = publishedLaneRows(staged, Math.floor(at.getTime() / 1000), version)
  await facts.add(scope, 'curb_payment_lanes', { columns: laneColumns, rows: lanes, ...queryOptions })
  const storedSum = await readStoredSum(facts, scope, regionId, importId)
  counts.stored = storedSum?.sum ?? { rows: 0, amount: 0 }
  if (counts.duplicates.rows) counts.codes.duplicate = counts.duplicates.rows
  if (storedSum) await markPaymentsDirty(publishing, scope, regionId, { importId, ...storedSum.times })
  await state
    .as(scope)
    .updateTable('curb_payment_import')
    .set({
      status: 'published',
      problem: null,
      counts: JSON.stringify(counts),
      published_time: at,
      file_path: null,
      lease_until: null,
    })
    .where('import_id', '=', importId)
    .where('status', '=', 'publishing')
    .execute()
  await facts.emptyStaging(importId, ['curb_payments_staging'])
  if (row.file_path !== null) await removeCurbFiles(blobs, [{ path: row.file_path }])
}

/** Reads the sums of the staged payments by kind, and of duplicates. */
export async function readStagedSums(
  facts: Facts,
  scope: Scope,
  staged: StagedImport,
): Promise<Pick<PaymentCounts, 'kinds' | 'duplicates'>> {
  const kinds: PaymentCounts['kinds'] = {}
  const duplicates = { rows: 0, amount: 0 }
  const sums = await facts.rows<{
    kind: keyof PaymentCounts['kinds']
    is_duplicate: number
    rows: string
    total: string
  }>(scope, stagedSumsSql(staged), queryOptions)
  for (const { kind, is_duplicate: isDuplicate, rows, total } of sums) {
    if (isDuplicate) {
      duplicates.rows += Number(rows)
      duplicates.amount += Number(total)
    } else kinds[kind] = { rows: Number(rows), amount: Number(total) }
  }
  return { kinds, duplicates }
}

/** Deletes the payments of an import. Sessions and sums are derived again. */
export async function undoPayments(
  publishing: Publishing,
  scope: Scope,
  row: PaymentImportRow,
  status: 'undone' | 'staged' = 'undone',
): Promise<void> {
  const { state, facts, nextVersion, now } = publishing
  const { region_id: regionId, import_id: importId } = row
  const storedSum = await readStoredSum(facts, scope, regionId, importId)
  // Marked before and after, so that dependent data are derived again even if the server stops in between.
  if (storedSum) await markPaymentsDirty(publishing, scope, regionId, { importId, ...storedSum.times })
  const version = nextVersion()
  const lanes = laneDeletionRows(regionId, importId, version)
  await facts.add(scope, 'curb_payment_lanes', { columns: laneColumns, rows: lanes, ...queryOptions })
  const payments = paymentDeletionRows(regionId, importId, version)
  await facts.add(scope, 'curb_payments', { columns: paymentTableColumns, rows: payments, ...queryOptions })
  if (storedSum) await markPaymentsDirty(publishing, scope, regionId, { importId, ...storedSum.times })
  await state
    .as(scope)
    .updateTable('curb_payment_import')
    .set({
      status,
      counts: JSON.stringify({ ...readCounts(row), stored: null }),
      ...(status === 'undone' ? { undone_time: now() } : { published_time: null }),
      lease_until: null,
    })
    .where('import_id', '=', importId)
    .where('status', 'in', ['publishing', 'undoing'])
    .execute()
}

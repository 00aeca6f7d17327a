import { currencyDigits } from '#contract/money.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Log } from '#server/jobs/log.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Sql } from '#server/stores/sql.ts'
import type { State, Store } from '#server/stores/state.ts'
import { findLocalFile } from '../imports/curb-files.ts'
import { CurbFileError } from '../imports/curb-format.ts'
import { linkPlaces } from './locations.ts'
import {
  readMapping,
  makeEmptyCounts,
  type PaymentCounts,
  type PaymentImportRow,
} from './payment-import-store.ts'
import { reportColumns, stagingColumns } from './payment-rows.ts'
import type { PaymentPlace } from './payment.ts'
import { type Publishing, publishPayments, readStagedSums, undoPayments } from './publish-payments.ts'
import {
  duplicateReportRows,
  otherVendorReportRows,
  countReportedSql,
  type StagedImport,
  stagedDaysSql,
  unlinkedReportRows,
  countUnlinkedSql,
} from './queries.ts'
import type { ReadPaymentsTask } from './read/read-payment-file.ts'
import { readPayments } from './read/read-payments.ts'

export interface RunningImports extends Publishing {
  log: Log
  /** Returns the key of a region for hashing plates and session keys. */
  paymentKey: (regionId: string) => string
}

export const paymentImportsJob = { name: 'import-payments' }

/** A lease that is not renewed for this long expires; then another server starts the step again. */
const leaseMs = 120_000
/** How often the lease is renewed and the counts are stored. */
const renewalMs = 2000
const queryOptions = { limits: { seconds: 600, memory: 6 * 2 ** 30 } }
const steps = ['staging', 'publishing', 'undoing'] as const
type Step = (typeof steps)[number]

/** Creates the job that reads, publishes and undoes imports of payments, one after the other. */
export function createPaymentImportsJob(running: RunningImports): Job {
  return {
    ...paymentImportsJob,
    description: 'Reads received payment files, publishes and undoes their imports',
    async run(stop) {
      for (let next = await claimImport(running); next && !stop.aborted; next = await claimImport(running))
        await runStep(running, next, stop)
    },
  }
}

interface Claim {
  row: PaymentImportRow
  organizationId: string
}

/** Whether there is a step to be done that no server is working on. */
export const hasDuePayments = async ({ state, now }: Pick<Publishing, 'state' | 'now'>): Promise<boolean> =>
  (await findDueImport(state, now())) !== undefined

const findDueImport = (state: State, at: Date) =>
  state
    .as(systemScope)
    .selectFrom('curb_payment_import')
    .innerJoin('region', 'region.region_id', 'curb_payment_import.region_id')
    .selectAll('curb_payment_import')
    .select('region.organization_id')
    .where('curb_payment_import.status', 'in', steps)
    .where((eb) =>
      eb.or([
        eb('curb_payment_import.lease_until', 'is', null),
        eb('curb_payment_import.lease_until', '<', at),
      ]),
    )
    .orderBy('curb_payment_import.created_time')
    .limit(1)
    .executeTakeFirst()

/** Leases the next import to this server; null if there is none. */
async function claimImport({ state, now }: RunningImports): Promise<Claim | null> {
  for (;;) {
    const due = await findDueImport(state, now())
    if (!due) return null
    const { organization_id: organizationId, ...row } = due
    const { numUpdatedRows } = await state
      .as(systemScope)
      .updateTable('curb_payment_import')
      .set({ lease_until: new Date(now().getTime() + leaseMs) })
      .where('import_id', '=', row.import_id)
      .where('status', '=', row.status)
      .where((eb) =>
        row.lease_until === null ? eb('lease_until', 'is', null) : eb('lease_until', '=', row.lease_until),
      )
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return { row, organizationId }
  }
}

/** Thrown if an import was deleted, or claimed by another server. */
class Superseded extends Error {}

/** Runs the next step of an import: staging, publishing or undoing. */
async function runStep(
  running: RunningImports,
  { row, organizationId }: Claim,
  stop: AbortSignal,
): Promise<void> {
  const { state, log } = running
  const scope = regionScope(organizationId, row.region_id)
  const step = row.status as Step
  const change = (values: { status: string; problem: string | null; counts?: string }) =>
    state
      .as(scope)
      .updateTable('curb_payment_import')
      .set({ ...values, lease_until: null })
      .where('import_id', '=', row.import_id)
      .where('status', '=', step)
      .executeTakeFirst()
  try {
    if (step === 'staging') await stageImport(running, scope, row, stop)
    else if (step === 'publishing') await publishPayments(running, scope, row)
    else await undoPayments(running, scope, row)
  } catch (error) {
    if (error instanceof Superseded) return
    if (stop.aborted) return void (await change({ status: step, problem: null }))
    if (!(error instanceof CurbFileError))
      log('payment import', {
        importId: row.import_id,
        step,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    // Payments that a failed publication stored are deleted again, so that no part of the import remains.
    if (step === 'publishing') await undoPayments(running, scope, row, 'staged').catch(() => undefined)
    const problem = error instanceof CurbFileError ? error.message : problems[step]
    await change({ status: step === 'undoing' ? 'published' : 'failed', problem })
    if (step === 'publishing')
      await state
        .as(scope)
        .updateTable('curb_payment_import')
        .set({ problem })
        .where('import_id', '=', row.import_id)
        .execute()
  }
}

const problems: Record<Step, string> = {
  staging: 'The server could not read this file. Try again, or send it to those who run the server.',
  publishing: 'The payments could not be published; nothing of them is stored. Try again.',
  undoing: 'The import could not be undone. Try again.',
}

/** An import that is being staged, with the Scope of its region. */
interface Staging {
  scope: Scope
  staged: StagedImport
}

/** Reads the file into the staging tables, finds duplicates and computes the sums. */
async function stageImport(
  running: RunningImports,
  scope: Scope,
  row: PaymentImportRow,
  stop: AbortSignal,
): Promise<void> {
  const { state, facts } = running
  const task = await prepareReading(running, scope, row)
  const staged: StagedImport = {
    regionId: row.region_id,
    importId: row.import_id,
    vendor: row.vendor,
    countsRepeated: task.mapping.repeated_rows === 'payment',
  }
  await facts.emptyStaging(row.import_id, ['curb_payments_staging', 'curb_payment_rows'])
  const staging = { scope, staged }
  const { counts, places } = await readIntoStaging(running, staging, task, stop)
  await addFindings(running, staging, { counts, places })
  const [days] = await facts.rows<{ first: string; last: string }>(scope, stagedDaysSql(staged), queryOptions)
  const { numUpdatedRows } = await state
    .as(scope)
    .updateTable('curb_payment_import')
    .set({
      status: 'staged',
      problem: null,
      counts: JSON.stringify(counts),
      places: JSON.stringify(places),
      first_day: days?.first ?? null,
      last_day: days?.last ?? null,
      lease_until: null,
    })
    .where('import_id', '=', row.import_id)
    .where('status', '=', 'staging')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Superseded()
}

/** Returns the task of the thread that reads the file. @throws CurbFileError without file or mapping. */
async function prepareReading(
  { state, blobs, now, paymentKey }: RunningImports,
  scope: Scope,
  row: PaymentImportRow,
): Promise<ReadPaymentsTask> {
  const { region_id: regionId, file_path: storedPath } = row
  const filePath = storedPath === null ? null : await findLocalFile(blobs, storedPath)
  const mapping = readMapping(row)
  if (filePath === null)
    throw new CurbFileError('The received file is no longer on the server. Send it again.')
  if (!mapping) throw new CurbFileError('The file has no mapping. Choose what its columns mean.')
  const region = await findRegion(state, scope, regionId)
  return {
    filePath,
    fileName: row.file_name,
    regionId,
    importId: row.import_id,
    mapping,
    vendor: row.vendor,
    timezone: region.timezone,
    currency: region.currencyCode,
    currencyDigits: currencyDigits(region.currencyCode),
    key: paymentKey(regionId),
    now: now().getTime(),
  }
}

/** Reads the file into the staging tables. Returns its counts and locations. */
async function readIntoStaging(
  { state, facts, now }: RunningImports,
  { scope, staged: { regionId, importId } }: Staging,
  task: ReadPaymentsTask,
  stop: AbortSignal,
): Promise<{ counts: PaymentCounts; places: PaymentPlace[] }> {
  const places = new Map<string, PaymentPlace>()
  let counts = makeEmptyCounts()
  let renewedMs = task.now
  for await (const chunk of readPayments(task, stop)) {
    counts = Object.assign(makeEmptyCounts(), chunk.counts)
    for (const place of chunk.places) places.set(place.locationId, place)
    if (chunk.rows.length)
      await facts.insert(scope, 'curb_payments_staging', {
        columns: stagingColumns,
        regionId,
        lines: chunk.rows,
      })
    if (chunk.report.length)
      await facts.insert(scope, 'curb_payment_rows', {
        columns: reportColumns,
        regionId,
        lines: chunk.report,
      })
    if (now().getTime() - renewedMs < renewalMs) continue
    renewedMs = now().getTime()
    await renewLease(state.as(scope), importId, counts, new Date(renewedMs + leaseMs))
  }
  if (counts.file.rows === 0) throw new CurbFileError('The file has no rows.')
  return { counts, places: [...places.values()] }
}

/** Renews the lease and stores the counts. @throws Superseded if this server no longer stages the import. */
async function renewLease(store: Store, importId: string, counts: PaymentCounts, until: Date): Promise<void> {
  const { numUpdatedRows } = await store
    .updateTable('curb_payment_import')
    .set({ lease_until: until, counts: JSON.stringify(counts) })
    .where('import_id', '=', importId)
    .where('status', '=', 'staging')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Superseded()
}

/** Reports and counts duplicates, payments that another vendor reports too, and unknown locations. */
async function addFindings(
  { state, facts, now }: RunningImports,
  { scope, staged }: Staging,
  { counts, places }: { counts: PaymentCounts; places: readonly PaymentPlace[] },
): Promise<void> {
  const addReports = (reports: Sql) =>
    facts.add(scope, 'curb_payment_rows', { columns: reportColumns, rows: reports, ...queryOptions })
  const countRows = async (query: Sql): Promise<number> =>
    Number((await facts.rows<{ rows: string }>(scope, query, queryOptions))[0]?.rows ?? 0)

  const { kinds, duplicates } = await readStagedSums(facts, scope, staged)
  counts.kinds = kinds
  counts.duplicates = duplicates
  if (duplicates.rows) {
    counts.codes.duplicate = duplicates.rows
    await addReports(duplicateReportRows(staged))
  }

  await addReports(otherVendorReportRows(staged))
  const otherVendorCount = await countRows(countReportedSql(staged, 'other_vendor'))
  if (otherVendorCount) counts.codes.other_vendor = otherVendorCount

  const links = await linkPlaces(state.as(scope), staged.regionId, places, now())
  const unlinkedIds = [...links].flatMap(([id, zone]) => (zone === '' ? [id] : []))
  counts.unlinkedLocations = unlinkedIds.length
  if (!unlinkedIds.length) return
  await addReports(unlinkedReportRows(staged, unlinkedIds))
  counts.codes.unknown_location = await countRows(countUnlinkedSql(staged, unlinkedIds))
}

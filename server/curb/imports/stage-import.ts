import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CurbFormatKey } from '#contract/curb-imports.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Log } from '#server/jobs/log.ts'
import { regionReachKm } from '#server/regions/region-reach.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import { type ColumnTypes, insertRows } from '#server/stores/insert-rows.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { CurbFileError, type StagedRow, type StagingContext } from './curb-format.ts'
import { openCurbFile, type StoredFile } from './curb-files.ts'
import { curbFormatsByKey } from './formats/list.ts'
import { type ImportCounts, type ImportRow, makeEmptyCounts } from './import-store.ts'
import { readSettings } from './inventory-store.ts'
import { toJsonText } from './json-text.ts'

export interface Staging {
  state: State
  blobs: BlobStore
  log: Log
  now: () => Date
  /** Called when an import has been staged. */
  onStaged: (row: ImportRow, scope: Scope, counts: ImportCounts) => Promise<void>
}

export const stageJob = { name: 'stage-curb-imports' }

/** A lease that is not renewed for this long expires; then another server stages the import again. */
const leaseMs = 120_000
/** How often the lease is renewed and the counts are stored. */
const renewalMs = 2000
const rowsPerInsert = 500

/** Creates the job that stages all imports that are due. */
export function createStageImportsJob(staging: Staging): Job {
  return {
    ...stageJob,
    description: 'Reads received curb files and checks their records',
    async run(stop) {
      for (let next = await claimImport(staging); next && !stop.aborted; next = await claimImport(staging))
        await stageImport(staging, next, stop)
    },
  }
}

interface Claim {
  row: ImportRow
  organizationId: string
}

/** Whether there is an import to be staged that no server is staging. */
export async function hasDueImport({ state, now }: Pick<Staging, 'state' | 'now'>): Promise<boolean> {
  return (await findDueImport(state, now())) !== undefined
}

const findDueImport = (state: State, at: Date) =>
  state
    .as(systemScope)
    .selectFrom('curb_import')
    .innerJoin('region', 'region.region_id', 'curb_import.region_id')
    .selectAll('curb_import')
    .select('region.organization_id')
    .where('curb_import.status', '=', 'staging')
    .where((eb) => eb.or([eb('curb_import.lease_until', 'is', null), eb('curb_import.lease_until', '<', at)]))
    .orderBy('curb_import.created_time')
    .limit(1)
    .executeTakeFirst()

/** Leases the next import to this server; null if there is none. */
async function claimImport({ state, now }: Staging): Promise<Claim | null> {
  for (;;) {
    const due = await findDueImport(state, now())
    if (!due) return null
    const { organization_id: organizationId, ...row } = due
    const { numUpdatedRows } = await state
      .as(systemScope)
      .updateTable('curb_import')
      .set({ lease_until: new Date(now().getTime() + leaseMs) })
      .where('import_id', '=', row.import_id)
      .where('status', '=', 'staging')
      .where((eb) =>
        row.lease_until === null ? eb('lease_until', 'is', null) : eb('lease_until', '=', row.lease_until),
      )
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return { row, organizationId }
  }
}

/** Thrown if an import was deleted, or claimed by another server, while it was staged. */
class Superseded extends Error {}

/** Stages a file. A failed one gets its problem; one that is interrupted is staged again later. */
async function stageImport(
  staging: Staging,
  { row, organizationId }: Claim,
  stop: AbortSignal,
): Promise<void> {
  const { state, log } = staging
  const scope = regionScope(organizationId, row.region_id)
  const counts = makeEmptyCounts()
  const finish = (changes: { status: string; problem: string | null }) =>
    state
      .as(scope)
      .updateTable('curb_import')
      .set({ ...changes, counts: toJsonText(counts), lease_until: null })
      .where('import_id', '=', row.import_id)
      .where('status', '=', 'staging')
      .executeTakeFirst()
  try {
    await state.as(scope).deleteFrom('curb_import_row').where('import_id', '=', row.import_id).execute()
    await stageRows(staging, { row, scope, counts }, stop)
    if (counts.rows === 0) throw new CurbFileError('The file has no records.')
    await finish({ status: 'staged', problem: null })
    await staging.onStaged({ ...row, status: 'staged' }, scope, counts)
  } catch (error) {
    if (error instanceof Superseded) return
    if (stop.aborted) return void (await finish({ status: 'staging', problem: null }))
    if (!(error instanceof CurbFileError))
      log('curb import', {
        importId: row.import_id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    const problem =
      error instanceof CurbFileError
        ? error.message
        : 'The server could not stage this file. Try again, or send it to those who run the server.'
    await finish({ status: 'failed', problem })
  }
}

/** Checks the records of the files, stores them as rows and renews the lease. */
async function stageRows(
  { state, blobs, now }: Staging,
  { row, scope, counts }: { row: ImportRow; scope: Scope; counts: ImportCounts },
  stop: AbortSignal,
): Promise<void> {
  const { format, context } = await openStaging(state, scope, row, counts)
  const files = await Promise.all((row.files as StoredFile[]).map((file) => openCurbFile(blobs, file)))
  const [firstFile, ...otherFiles] = files
  if (!firstFile) throw new CurbFileError('The received file is no longer on the server. Send it again.')
  let pendingRows: StagedRow[] = []
  const flush = async (size: number): Promise<void> => {
    while (pendingRows.length >= size && pendingRows.length) {
      await storeRows(state.as(scope), row, pendingRows.slice(0, rowsPerInsert))
      pendingRows = pendingRows.slice(rowsPerInsert)
    }
  }
  let renewedMs = now().getTime()
  for await (const rows of format.stage([firstFile, ...otherFiles], context)) {
    stop.throwIfAborted()
    for (const stagedRow of rows) addToCounts(counts, stagedRow)
    pendingRows.push(...rows)
    await flush(rowsPerInsert)
    // Lets requests run between batches.
    await nextTurn()
    if (now().getTime() - renewedMs < renewalMs) continue
    renewedMs = now().getTime()
    await renewLease(state.as(scope), row.import_id, counts, new Date(renewedMs + leaseMs))
  }
  await flush(1)
}

/** Renews the lease and stores the counts. @throws Superseded if this server no longer stages the import. */
async function renewLease(store: Store, importId: string, counts: ImportCounts, until: Date): Promise<void> {
  const { numUpdatedRows } = await store
    .updateTable('curb_import')
    .set({ lease_until: until, counts: toJsonText(counts) })
    .where('import_id', '=', importId)
    .where('status', '=', 'staging')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Superseded()
}

/** Returns the format and context in which an import is staged. */
export async function openStaging(
  state: State,
  scope: Scope,
  row: Pick<ImportRow, 'region_id' | 'inventory_id'>,
  counts: ImportCounts,
) {
  const region = await findRegion(state, scope, row.region_id)
  const inventory = await state
    .as(scope)
    .selectFrom('curb_inventory')
    .selectAll()
    .where('inventory_id', '=', row.inventory_id)
    .executeTakeFirstOrThrow()
  const publishedPolicies = await state
    .as(scope)
    .selectFrom('curb_policy')
    .select('curb_policy_id')
    .where('region_id', '=', row.region_id)
    .where('status', '=', 'published')
    .execute()
  const context: StagingContext = {
    timeZone: region.timezone,
    currency: region.currencyCode,
    center: { lon: region.lon, lat: region.lat },
    reachKm: regionReachKm,
    publishedPolicyIds: new Set(publishedPolicies.map((policy) => policy.curb_policy_id)),
    mapping: readSettings(inventory).mapping ?? null,
    noteFile: (code, message) =>
      void counts.file_findings.push({ code, message: message.slice(0, 500), field: null, effect: 'note' }),
  }
  return { format: curbFormatsByKey[inventory.kind as CurbFormatKey], context, inventory }
}

function addToCounts(counts: ImportCounts, { outcome, kind, findings }: StagedRow): void {
  counts.rows++
  counts.outcomes[outcome]++
  counts.kinds[kind] = (counts.kinds[kind] ?? 0) + 1
  for (const code of new Set(findings.map((finding) => finding.code)))
    counts.codes[code] = (counts.codes[code] ?? 0) + 1
}

const rowTypes: ColumnTypes<'curb_import_row'> = {
  import_id: 'uuid',
  region_id: 'text',
  row: 'integer',
  kind: 'text',
  record_id: 'text',
  outcome: 'text',
  findings: 'jsonb',
  source: 'jsonb',
  staged: 'jsonb',
  confidence: 'real',
}

const storeRows = (
  store: Store,
  { import_id, region_id }: ImportRow,
  rows: readonly StagedRow[],
): Promise<void> =>
  insertRows(
    store,
    'curb_import_row',
    rowTypes,
    rows.map(({ row, kind, recordId, outcome, findings, source, staged, confidence }) => ({
      import_id,
      region_id,
      row,
      kind,
      record_id: recordId,
      outcome,
      findings: toJsonText(findings),
      source: toJsonText(source),
      staged: staged === null ? null : toJsonText(staged),
      confidence,
    })),
  )

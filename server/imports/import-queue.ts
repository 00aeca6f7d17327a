import type { ImportRequirement } from '#contract/imports.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { ImportRow } from './read-import.ts'

/** An import to run. */
export interface ImportTask {
  organizationId: string
  regionId: string
  importId: string
}

/** The job that runs imports. */
export const importJob = { name: 'import-files' }

/** Lets the job look for imports to run. */
export const wakeImports = ({ jobs }: { jobs: Pick<Jobs, 'send'> }): Promise<void> => jobs.send(importJob, {})

/** A lease that was not renewed for this long is free, because its process must have stopped. */
const leaseMs = 30_000
/** An import fails after this many runs that crashed the process without storing a chunk. */
const maxAttempts = 5

/**
 * Finds the next import to run or to finish canceling: the oldest one of the region that was served longest
 * ago. A region runs one import at a time, because two files may contain the same trips.
 */
export async function findNextImport(state: State, at: Date): Promise<ImportTask | null> {
  const row = await state
    .as(systemScope)
    .selectFrom('import')
    .innerJoin('region', 'region.region_id', 'import.region_id')
    .select(['import.import_id', 'import.region_id', 'region.organization_id'])
    .where('import.status', 'in', ['queued', 'running', 'canceling'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('import as other')
            .select('other.import_id')
            .whereRef('other.region_id', '=', 'import.region_id')
            .where('other.lease_until', '>', at),
        ),
      ),
    )
    .orderBy(
      ({ selectFrom }) =>
        selectFrom('import as other')
          .select(({ fn }) => fn.max('other.started_time').as('served'))
          .whereRef('other.region_id', '=', 'import.region_id'),
      (order) => order.asc().nullsFirst(),
    )
    .orderBy('import.created_time')
    .limit(1)
    .executeTakeFirst()
  return row
    ? { organizationId: row.organization_id, regionId: row.region_id, importId: row.import_id }
    : null
}

/** Finds the trip file of a region that follows an import: the oldest queued one. */
export const findFollowingTripFile = (
  store: Store,
  { region_id, import_id }: Pick<ImportRow, 'region_id' | 'import_id'>,
): Promise<ImportRow | undefined> =>
  store
    .selectFrom('import')
    .selectAll()
    .where('region_id', '=', region_id)
    .where('import_id', '!=', import_id)
    .where('status', '=', 'queued')
    .where('kind', '=', 'trips')
    .where('mapping', 'is not', null)
    .orderBy('created_time')
    .limit(1)
    .executeTakeFirst()

/** A claimed import. `isRepeat`: it was started before, so a chunk may be incomplete. */
export interface Claim {
  row: ImportRow
  isRepeat: boolean
  hasTooManyAttempts: boolean
}

/** Claims an import for this process; null if it has ended or another one of the region is running. */
export function claimImport(
  state: State,
  scope: Scope,
  { regionId, importId }: ImportTask,
  { owner, at }: { owner: string; at: Date },
): Promise<Claim | null> {
  return state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      // The lock prevents two processes from claiming two files of the same region at the same time.
      await store
        .selectFrom('region')
        .select('region_id')
        .where('region_id', '=', regionId)
        .forUpdate()
        .execute()
      const runningImport = await store
        .selectFrom('import')
        .select('import_id')
        .where('region_id', '=', regionId)
        .where('lease_until', '>', at)
        .executeTakeFirst()
      if (runningImport) return null
      const storedRow = await store
        .selectFrom('import')
        .selectAll()
        .where('import_id', '=', importId)
        .executeTakeFirst()
      if (!storedRow || !['queued', 'running', 'canceling'].includes(storedRow.status)) return null
      const row = await store
        .updateTable('import')
        .set({
          status: storedRow.status === 'canceling' ? 'canceling' : 'running',
          lease_owner: owner,
          lease_until: new Date(at.getTime() + leaseMs),
          started_time: at,
          run_rows: 0,
          problem: null,
          attempts: storedRow.attempts + 1,
        })
        .where('import_id', '=', importId)
        .returningAll()
        .executeTakeFirstOrThrow()
      return {
        row,
        isRepeat: storedRow.started_time !== null,
        hasTooManyAttempts: storedRow.attempts >= maxAttempts,
      }
    })
}

/** Renews the lease and stores the progress. Returns false if the import was canceled, deleted or lost. */
export async function renewLease(
  state: State,
  scope: Scope,
  { owner, importId, progress, at }: { owner: string; importId: string; progress: number; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await state
    .as(scope)
    .updateTable('import')
    .set({ lease_until: new Date(at.getTime() + leaseMs), progress })
    .where('import_id', '=', importId)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** How a run ended. `queued`: it continues after its last chunk. `needs_mapping`: the user must answer. */
export interface RunEnd {
  status: 'done' | 'failed' | 'queued' | 'needs_mapping'
  problem: string | null
  /** The question and the sentence that asks it. */
  question?: { ask: ImportRequirement; note: string }
}

/** Ends a run and releases its lease. During a cancellation, the lease protects the removal until it expires. */
export async function endRun(
  state: State,
  scope: Scope,
  {
    owner,
    importId,
    end: { status, problem, question },
    at,
  }: { owner: string; importId: string; end: RunEnd; at: Date },
): Promise<void> {
  const store = state.as(scope)
  const hasEnded = status === 'done' || status === 'failed'
  const questionFields = question
    ? { asks: JSON.stringify([question.ask]), notes: JSON.stringify([question.note]) }
    : {}
  await store
    .updateTable('import')
    .set({
      status,
      problem,
      finished_time: hasEnded ? at : null,
      lease_owner: null,
      lease_until: null,
      ...(hasEnded ? {} : { attempts: 0 }),
      ...questionFields,
    })
    .where('import_id', '=', importId)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'running')
    .execute()
  // Only a canceled import still has its owner here.
  await store
    .updateTable('import')
    .set({ lease_owner: null, lease_until: new Date(at.getTime() + leaseMs) })
    .where('import_id', '=', importId)
    .where('lease_owner', '=', owner)
    .execute()
}

/** Releases all leases. Allowed only before the import job starts, if no other process uses the stores. */
export async function releaseLeases(state: State): Promise<void> {
  await state
    .as(systemScope)
    .updateTable('import')
    .set({ lease_owner: null, lease_until: null })
    .where('lease_until', 'is not', null)
    .execute()
}

/** Queues the job for waiting imports and those of stopped processes. Returns whether there are any. */
export async function resumeImports(state: State, jobs: Pick<Jobs, 'send'>, at: Date): Promise<boolean> {
  if (!(await findNextImport(state, at))) return false
  await wakeImports({ jobs })
  return true
}

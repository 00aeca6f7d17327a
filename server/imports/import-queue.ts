import type { ImportRequirement } from '#contract/imports.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { ImportRow } from './read-import.ts'

/** One import to be run. */
export interface ImportTask {
  organizationId: string
  regionId: string
  importId: string
}

export const importJob = { name: 'import-files' }

/** Queues one run of the import job. */
export const wakeImports = ({ jobs }: { jobs: Pick<Jobs, 'send'> }): Promise<void> => jobs.send(importJob, {})

/** A lease that is not renewed for this long is free: its process has stopped. */
const leaseMs = 30_000

/** An import is given up after this many runs that crashed the process without storing a chunk. */
const maxAttempts = 5

/**
 * The next import to run, or to finish canceling. Regions take turns: first the region that was served longest ago, and
 * within a region the oldest file. A region runs one import at a time: two files may hold the same trips.
 */
export async function nextImport(state: State, at: Date): Promise<ImportTask | null> {
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

/** The next trip file of a region after an import: the oldest waiting one. */
export const followingTrips = (
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

/** A claimed import; `isRepeat`: it was started before, so that a chunk may be incomplete. */
export interface Claim {
  row: ImportRow
  isRepeat: boolean
  hasTooManyAttempts: boolean
}

/** Claims an import for this process; null if the region has a running one, or nothing is left to do. */
export function claimImport(
  state: State,
  owner: string,
  scope: Scope,
  { regionId, importId }: ImportTask,
  at: Date,
): Promise<Claim | null> {
  return state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      // Two processes must not claim two files of one region at once.
      await store
        .selectFrom('region')
        .select('region_id')
        .where('region_id', '=', regionId)
        .forUpdate()
        .execute()
      const running = await store
        .selectFrom('import')
        .select('import_id')
        .where('region_id', '=', regionId)
        .where('lease_until', '>', at)
        .executeTakeFirst()
      if (running) return null
      const before = await store
        .selectFrom('import')
        .selectAll()
        .where('import_id', '=', importId)
        .executeTakeFirst()
      if (!before || !['queued', 'running', 'canceling'].includes(before.status)) return null
      const row = await store
        .updateTable('import')
        .set({
          status: before.status === 'canceling' ? 'canceling' : 'running',
          lease_owner: owner,
          lease_until: new Date(at.getTime() + leaseMs),
          started_time: at,
          run_rows: 0,
          problem: null,
          attempts: before.attempts + 1,
        })
        .where('import_id', '=', importId)
        .returningAll()
        .executeTakeFirstOrThrow()
      return {
        row,
        isRepeat: before.started_time !== null,
        hasTooManyAttempts: before.attempts >= maxAttempts,
      }
    })
}

/** Renews the lease and stores the progress; returns false if the import was canceled, deleted or claimed by another process. */
export async function renewLease(
  state: State,
  owner: string,
  scope: Scope,
  importId: string,
  progress: number,
  at: Date,
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

/** The end of a run; `queued`: it continues later after its last chunk; `needs_mapping`: a question must be answered. */
export interface End {
  status: 'done' | 'failed' | 'queued' | 'needs_mapping'
  problem: string | null
  /** The question and a sentence for it. */
  question?: { ask: ImportRequirement; note: string }
}

/** Ends a run and releases the lease; that of a canceled import stays with the canceling request until it expires. */
export async function endRun(
  state: State,
  owner: string,
  scope: Scope,
  importId: string,
  { status, problem, question }: End,
  at: Date,
): Promise<void> {
  const store = state.as(scope)
  const isOver = status === 'done' || status === 'failed'
  const questionFields = question
    ? { asks: JSON.stringify([question.ask]), notes: JSON.stringify([question.note]) }
    : {}
  await store
    .updateTable('import')
    .set({
      status,
      problem,
      finished_time: isOver ? at : null,
      lease_owner: null,
      lease_until: null,
      ...(isOver ? {} : { attempts: 0 }),
      ...questionFields,
    })
    .where('import_id', '=', importId)
    .where('lease_owner', '=', owner)
    .where('status', '=', 'running')
    .execute()
  await store
    .updateTable('import')
    .set({ lease_owner: null, lease_until: new Date(at.getTime() + leaseMs) })
    .where('import_id', '=', importId)
    .where('lease_owner', '=', owner)
    .execute()
}

/** Releases the leases of a stopped process. Must run before the import job starts, and only by the one process of its stores. */
export async function freeLeases(state: State): Promise<void> {
  await state
    .as(systemScope)
    .updateTable('import')
    .set({ lease_owner: null, lease_until: null })
    .where('lease_until', 'is not', null)
    .execute()
}

/** Queues the job again for waiting imports and those of a stopped process. Returns whether there were any. */
export async function resumeImports(state: State, jobs: Pick<Jobs, 'send'>, at: Date): Promise<boolean> {
  if (!(await nextImport(state, at))) return false
  await wakeImports({ jobs })
  return true
}

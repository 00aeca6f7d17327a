import { randomUUID } from 'node:crypto'
import { dayMs, localDay, startOfMonth } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { State, Store } from '#server/stores/state.ts'
import { exportJob, type ExportRow } from './export-store.ts'

/** Day of a month on which the zip of the previous month is built; by then late records have arrived. */
export const zipDay = 3
/** A failed zip is built again after this time. */
const retryMs = dayMs

/** Returns the month (YYYY-MM) with a zip that is due on a local day; null on the first days of a month. */
export const getDueMonth = (today: string): string | null =>
  Number(today.slice(8)) >= zipDay ? startOfMonth(today, 1).slice(0, 7) : null

/** Queues a new version of the zip of a month. */
export async function queueZip(
  store: Store,
  { regionId, month, at }: { regionId: string; month: string; at: Date },
): Promise<ExportRow> {
  return store.transaction().execute(async (transaction) => {
    const newestZip = await transaction
      .selectFrom('export')
      .select(({ fn }) => fn.max<number | null>('version').as('version'))
      .where('region_id', '=', regionId)
      .where('month', '=', month)
      .executeTakeFirst()
    return transaction
      .insertInto('export')
      .values({
        export_id: randomUUID(),
        region_id: regionId,
        user_id: null,
        is_exact: true,
        month,
        version: (newestZip?.version ?? 0) + 1,
        status: 'queued',
        created_time: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Queues the zip of the previous month for regions in which it is due and is missing or has failed. */
export async function queueDueZips(state: State, jobs: Pick<Jobs, 'send'>, at: Date): Promise<void> {
  const regions = await state
    .as(systemScope)
    .selectFrom('region')
    .select(['region_id', 'organization_id', 'timezone'])
    .where('has_monthly_zip', '=', true)
    .execute()
  let isAnyQueued = false
  for (const { region_id: regionId, organization_id: organizationId, timezone } of regions) {
    const month = getDueMonth(localDay(at, timezone))
    if (!month) continue
    const store = state.as(regionScope(organizationId, regionId))
    if (await queueMissingZip(store, { regionId, month, at })) isAnyQueued = true
  }
  if (isAnyQueued) await jobs.send(exportJob, {})
}

/** Queues the zip of a month unless it exists or failed less than a day ago. Returns whether it was queued. */
async function queueMissingZip(
  store: Store,
  { regionId, month, at }: { regionId: string; month: string; at: Date },
): Promise<boolean> {
  const newestZip = await store
    .selectFrom('export')
    .select(['export_id', 'status', 'finished_time'])
    .where('region_id', '=', regionId)
    .where('month', '=', month)
    .orderBy('version', 'desc')
    .executeTakeFirst()
  if (!newestZip) {
    await queueZip(store, { regionId, month, at })
    return true
  }
  const { status, finished_time: finishedTime } = newestZip
  if (status !== 'failed' || !finishedTime || at.getTime() - finishedTime.getTime() <= retryMs) return false
  await store
    .updateTable('export')
    .set({ status: 'queued', attempts: 0, problem: null, finished_time: null })
    .where('export_id', '=', newestZip.export_id)
    .where('status', '=', 'failed')
    .execute()
  return true
}

/** Checks that the zip of a month can be built now. @throws Problem if not. */
export async function checkZipMonth(
  store: Store,
  { regionId, month, today }: { regionId: string; month: string; today: string },
): Promise<void> {
  if (month >= today.slice(0, 7)) throw new Problem('validation_error', 'month: This month is not over yet.')
  const openZip = await store
    .selectFrom('export')
    .select('export_id')
    .where('region_id', '=', regionId)
    .where('month', '=', month)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
  if (openZip) throw new Problem('conflict', 'The zip of this month is already being built.')
}

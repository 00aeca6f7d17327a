import { addDays, dayMs, daysBetween, type LocalDay, localDay } from '#contract/period.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import {
  type RetentionCategory,
  type RetentionDays,
  type RetentionStep,
  settableCategories,
} from '#contract/retention.ts'
import type { Region } from '#contract/regions.ts'
import { readPolicyRecords } from '#server/compliance/days/read-compliance.ts'
import type { Compliance } from '#server/compliance/days/find-records.ts'
import { countSealedDirty, finishSealedSpans, sealSpans } from '#server/derived/sealed-spans.ts'
import { dayKinds } from '#server/health/day-facts.ts'
import { regionScope } from '#server/identity/scope.ts'
import { findFirstOpenDay, findRemovedBefore } from '#server/regions/fact-limits.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import type { RetentionCutoff } from '#server/regions/old-rows.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { productsByCategory, toSeals } from './categories.ts'
import { findHold } from './hold.ts'
import { findAuditCutoff, countAudit, countRows, removeAudit, removeRows } from './remove-rows.ts'

/** Rows are removed after this time, even if their sums could not be derived. */
const maxWaitMs = 7 * dayMs
/** Days of compliance that are measured in one batch. */
const batchDays = 31

/** Maximum number of times that a run checks whether sums are derived. */
const maxChecks = 30

export interface RetentionOptions {
  compliance: Compliance
  now: () => Date
  /** Waits before a run checks again whether sums are derived. */
  pause: () => Promise<void>
}

/** Finds the days that are set for a region, by category. */
export async function findStoredDays(store: Store, regionId: string): Promise<RetentionDays> {
  const rows = await store
    .selectFrom('retention_days')
    .select(['category', 'days'])
    .where('region_id', '=', regionId)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.category, row.days]))
}

/** Selects the rows of a region before a local day, and of imports before it. */
async function findCutoff(
  store: Store,
  { regionId, timezone, lostAfterHours }: Region,
  beforeDay: LocalDay,
): Promise<RetentionCutoff> {
  const imports = await store
    .selectFrom('import')
    .select('import_id')
    .where('region_id', '=', regionId)
    .where('created_time', '<', new Date(`${beforeDay}T00:00:00Z`))
    .execute()
  return { regionId, timezone, lostAfterHours, beforeDay, importIds: imports.map((row) => row.import_id) }
}

const getFirstRetainedDay = (at: Date, timezone: string, days: number): LocalDay =>
  addDays(localDay(at, timezone), -days)

interface StepDetails {
  beforeDay: LocalDay | null
  tables?: RetentionStep['tables']
  detail?: string | null
}

const createStep = (
  category: RetentionCategory,
  outcome: RetentionStep['outcome'],
  { beforeDay, tables = [], detail = null }: StepDetails,
): RetentionStep => ({
  category,
  outcome,
  before_day: beforeDay,
  tables: tables.filter(({ rows }) => rows > 0),
  detail,
})

const sumRows = (tables: RetentionStep['tables']): number => tables.reduce((sum, { rows }) => sum + rows, 0)

/** Counts the rows that the next run would remove if some of the stored days were changed. */
export async function previewRegion(
  { compliance: { state, facts } }: Pick<RetentionOptions, 'compliance'>,
  region: Region,
  changedDays: RetentionDays,
  at: Date,
): Promise<RetentionStep[]> {
  const scope = regionScope(region.organizationId, region.regionId)
  const days = { ...(await findStoredDays(state.as(scope), region.regionId)), ...changedDays }
  const hold = await findHold(state.as(scope), region.regionId)
  const steps: RetentionStep[] = []
  for (const category of settableCategories) {
    const retainedDays = days[category]
    if (retainedDays === undefined || retainedDays === null) continue
    const beforeDay = getFirstRetainedDay(at, region.timezone, retainedDays)
    const tables =
      category === 'audit'
        ? await countAudit(state, region.organizationId, new Date(at.getTime() - retainedDays * dayMs))
        : await countRows({ facts }, scope, category, await findCutoff(state.as(scope), region, beforeDay))
    const removalOutcome = hold ? 'held' : 'removed'
    steps.push(createStep(category, sumRows(tables) ? removalOutcome : 'nothing', { beforeDay, tables }))
  }
  return steps
}

/** Measures data health and compliance of days with rows to remove: otherwise they are measured on demand. */
async function measureDays(
  { compliance, now }: RetentionOptions,
  region: Region,
  first: LocalDay,
  last: LocalDay,
): Promise<void> {
  const scope = regionScope(region.organizationId, region.regionId)
  const { regionId, organizationId, timezone, lostAfterHours } = region
  const days = daysBetween(first, last)
  for (let from = 0; from < days.length; from += batchDays) {
    const batch = days.slice(from, from + batchDays)
    for (const kind of dayKinds)
      await compliance.health.find(
        { regionId, organizationId, timezone, lostAfterHours, scope },
        { kind, days: batch, at: now().getTime(), recountAfterMs: 0 },
      )
    const query = { first: batch[0] as LocalDay, last: batch.at(-1) as LocalDay, operators: [] }
    // Reading the records measures them.
    for await (const { records } of readPolicyRecords(compliance, {
      viewer: scope,
      region,
      daysQuery: query,
      at: now(),
    }))
      void records
  }
}

/** Finds the first local day with trips or events that were not removed yet; null if there are none. */
async function findFirstDay(store: Store, regionId: string): Promise<LocalDay | null> {
  const row = await store
    .selectFrom('derived_span')
    .select(({ fn }) => fn.min<string | null>('span').as('first'))
    .where('region_id', '=', regionId)
    .where('product', '=', 'report_days')
    .executeTakeFirst()
  return row?.first ?? null
}

/** Categories with rows that data health and compliance measure. */
const measuredCategories: readonly RetentionCategory[] = ['trips', 'events', 'telemetry']

/** Moves a category's limit forward: late records before it are not stored, nor sums derived. */
async function sealCategory(
  options: RetentionOptions,
  region: Region,
  category: RetentionCategory,
  beforeDay: LocalDay,
): Promise<void> {
  const { state } = options.compliance
  const { regionId, timezone } = region
  const scope = regionScope(region.organizationId, regionId)
  const removed = await findRemovedBefore(state, scope, regionId)
  const currentLimit = removed[category]
  if (currentLimit !== undefined && currentLimit >= beforeDay) return
  if (measuredCategories.includes(category)) {
    const firstOpenDay = findFirstOpenDay({ [category]: beforeDay }, [category]) as LocalDay
    const firstUnmeasuredDay =
      findFirstOpenDay(removed, measuredCategories) ?? (await findFirstDay(state.as(scope), regionId))
    if (firstUnmeasuredDay !== null && firstUnmeasuredDay < firstOpenDay)
      await measureDays(options, region, firstUnmeasuredDay, addDays(firstOpenDay, -1))
  }
  const values = { before_day: beforeDay, sealed_time: options.now() }
  await state
    .as(scope)
    .insertInto('retention_limit')
    .values({ region_id: regionId, category, ...values })
    .onConflict((conflict) => conflict.columns(['region_id', 'category']).doUpdateSet(values))
    .execute()
  await sealSpans(state, scope, regionId, toSeals({ ...removed, [category]: beforeDay }, timezone))
}

/** Describes what must be derived before the rows of a category may be removed; null if nothing is left. */
async function findUnderivedReason(
  state: Pick<State, 'as'>,
  scope: Scope,
  { regionId, category, sealedTime }: { regionId: string; category: RetentionCategory; sealedTime: Date },
): Promise<string | null> {
  const products = productsByCategory[category]
  if (!products) return null
  const dirtyCount = await countSealedDirty(state, scope, regionId, products.sumProducts)
  if (dirtyCount) return `${dirtyCount} days or hours are not derived yet.`
  const underivedSpan = await state
    .as(scope)
    .selectFrom('derived_span')
    .select('span')
    .where('region_id', '=', regionId)
    .where('product', 'in', products.rowProducts)
    .whereRef('done', '<', 'wanted')
    .where('dirty_since', '<=', sealedTime)
    .limit(1)
    .executeTakeFirst()
  if (underivedSpan) return 'Records that arrived before are not derived yet.'
  if (!products.sumProducts.includes('shape_sums')) return null
  const layers = await state
    .as(scope)
    .selectFrom('cube_layer')
    .select(['status'])
    .where('region_id', '=', regionId)
    .execute()
  const unfinished = layers.filter(({ status }) => status !== 'ready').length
  return unfinished
    ? `Sums of ${unfinished} ${unfinished === 1 ? 'layer is' : 'layers are'} not complete.`
    : null
}

/** Seals a category, waits until its sums are derived, and removes its old rows. */
async function removeCategory(
  options: RetentionOptions,
  region: Region,
  category: RetentionCategory,
  beforeDay: LocalDay,
): Promise<RetentionStep> {
  const { state, facts } = options.compliance
  const { regionId } = region
  const scope = regionScope(region.organizationId, regionId)
  await sealCategory(options, region, category, beforeDay)
  const limit = await state
    .as(scope)
    .selectFrom('retention_limit')
    .select(['sealed_time', 'waits_since'])
    .where('region_id', '=', regionId)
    .where('category', '=', category)
    .executeTakeFirstOrThrow()
  let underivedReason: string | null = null
  for (let check = 0; check < maxChecks; check++) {
    underivedReason = await findUnderivedReason(state, scope, {
      regionId,
      category,
      sealedTime: limit.sealed_time,
    })
    if (underivedReason === null) break
    await options.pause()
  }
  const setWaitsSince = (since: Date | null): Promise<unknown> =>
    state
      .as(scope)
      .updateTable('retention_limit')
      .set({ waits_since: since })
      .where('region_id', '=', regionId)
      .where('category', '=', category)
      .execute()
  const since = limit.waits_since ?? options.now()
  if (underivedReason !== null && options.now().getTime() - since.getTime() < maxWaitMs) {
    await setWaitsSince(since)
    return createStep(category, 'waits', { beforeDay, detail: underivedReason })
  }
  if (underivedReason !== null)
    await finishSealedSpans(state, scope, regionId, productsByCategory[category]?.sumProducts ?? [])
  await setWaitsSince(null)
  const cutoff = await findCutoff(state.as(scope), region, beforeDay)
  const tables = await countRows({ facts }, scope, category, cutoff)
  if (sumRows(tables)) await removeRows({ state, facts }, scope, category, cutoff)
  return createStep(category, sumRows(tables) ? 'removed' : 'nothing', {
    beforeDay,
    tables,
    detail: underivedReason,
  })
}

async function removeOldAudit(
  { compliance: { state }, now }: RetentionOptions,
  region: Region,
): Promise<RetentionStep> {
  const before = await findAuditCutoff(state, region.organizationId, now())
  if (before === null)
    return createStep('audit', 'nothing', {
      beforeDay: null,
      detail: 'Another region of the organization stores it for longer.',
    })
  const tables = await countAudit(state, region.organizationId, before)
  if (sumRows(tables)) await removeAudit(state, region.organizationId, before)
  const beforeDay = before.toISOString().slice(0, 10) as LocalDay
  return createStep('audit', sumRows(tables) ? 'removed' : 'nothing', { beforeDay, tables })
}

/** Removes a region's rows that are older than its days. A failed category does not stop the others. */
export async function applyToRegion(options: RetentionOptions, region: Region): Promise<RetentionStep[]> {
  const { state } = options.compliance
  const scope = regionScope(region.organizationId, region.regionId)
  const days = await findStoredDays(state.as(scope), region.regionId)
  const steps: RetentionStep[] = []
  for (const category of settableCategories) {
    const retainedDays = days[category]
    if (retainedDays === undefined || retainedDays === null) continue
    const beforeDay = getFirstRetainedDay(options.now(), region.timezone, retainedDays)
    // Checked for each category, because a hold may be set during the run.
    if (await findHold(state.as(scope), region.regionId)) {
      steps.push(createStep(category, 'held', { beforeDay }))
      continue
    }
    try {
      steps.push(
        category === 'audit'
          ? await removeOldAudit(options, region)
          : await removeCategory(options, region, category, beforeDay),
      )
    } catch (error) {
      const problem = getErrorMessage(error)
      steps.push(createStep(category, 'failed', { beforeDay, detail: problem.slice(0, 500) }))
    }
  }
  if (steps.some(({ outcome }) => outcome === 'removed'))
    await increaseFactsVersion(state, scope, region.regionId)
  return steps
}

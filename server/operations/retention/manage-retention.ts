import {
  getRetention,
  getRetentionLimits,
  changeRetention,
  previewRetention,
  releaseRetentionHold,
  type Retention,
  type RetentionDays,
  retentionCategories,
  type RetentionHold,
  retentionRules,
  runRetention,
  setRetentionHold,
} from '#contract/retention.ts'
import { findBillingSettings } from '#server/billing/invoices/billing-settings.ts'
import { Problem } from '#server/http/problem.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { writeAudit } from '#server/identity/write-audit.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { findRemovedBefore } from '#server/regions/fact-limits.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State, Store } from '#server/stores/state.ts'
import { previewRegion, type RetentionOptions, findStoredDays } from './apply-retention.ts'
import { findHold, type HoldRow, findPastHolds, releaseHold, setHold } from './hold.ts'
import { listRuns, runNowJob } from './retention-runs.ts'

/** The number of runs in the response. */
const listedRuns = 50
const daysPerYear = 365

const presentHold = (row: HoldRow): RetentionHold => ({
  reason: row.reason,
  set_by: row.set_by,
  set_time: row.set_time.toISOString(),
  released_by: row.released_by,
  released_time: row.released_time?.toISOString() ?? null,
})

async function readRetention(state: State, { scope }: Viewer, regionId: string): Promise<Retention> {
  const region = await findRegion(state, scope, regionId)
  const [days, removed, hold, holds, runs, billing] = await Promise.all([
    findStoredDays(state.as(scope), regionId),
    findRemovedBefore(state, scope, regionId),
    findHold(state.as(scope), regionId),
    findPastHolds(state.as(scope), regionId),
    listRuns(state.as(scope), regionId, listedRuns),
    findBillingSettings(state, scope, regionId),
  ])
  const daysSetElsewhere = { raw: region.rawRetentionDays, invoices: billing.retention_years * daysPerYear }
  return {
    categories: retentionCategories.map((category) => {
      const { description, setIn, minDays } = retentionRules[category]
      return {
        category,
        description,
        set_in: setIn,
        min_days: minDays,
        days:
          category === 'raw' || category === 'invoices'
            ? daysSetElsewhere[category]
            : (days[category] ?? null),
        removed_before: removed[category] ?? null,
      }
    }),
    hold: hold ? presentHold(hold) : null,
    holds: holds.map(presentHold),
    runs,
  }
}

interface RetentionChange {
  viewer: Viewer
  action: string
  regionId: string
  values: Record<string, string>
  at: Date
}

/** Writes a change to the audit log with its values, which the entry of the call itself does not contain. */
const audit = (state: State, { viewer, action, regionId, values, at }: RetentionChange): Promise<void> =>
  writeAudit(state, {
    viewer,
    action,
    method: 'POST',
    path: `/v2/regions/${regionId}/retention?${new URLSearchParams(values)}`,
    status: 200,
    address: null,
    at,
  })

/** Stores the days of some categories; null removes a limit. */
async function storeDays(store: Store, regionId: string, days: RetentionDays): Promise<void> {
  for (const [category, value] of Object.entries(days))
    if (value === null)
      await store
        .deleteFrom('retention_days')
        .where('region_id', '=', regionId)
        .where('category', '=', category)
        .execute()
    else if (value !== undefined)
      await store
        .insertInto('retention_days')
        .values({ region_id: regionId, category, days: value })
        .onConflict((conflict) => conflict.columns(['region_id', 'category']).doUpdateSet({ days: value }))
        .execute()
}

/** Returns the endpoints for retention of a region's rows. */
export const retentionRoutes = (options: RetentionOptions, jobs: Pick<Jobs, 'send'>): Route[] => {
  const { state } = options.compliance
  return [
    route(getRetention, ({ params, viewer }) => readRetention(state, viewer, params.region_id)),
    route(changeRetention, async ({ params: { region_id: regionId }, body: { days }, viewer, at }) => {
      await findRegion(state, viewer.scope, regionId)
      await storeDays(state.as(viewer.scope), regionId, days)
      const values = Object.fromEntries(
        Object.entries(days).map(([category, value]) => [category, String(value ?? 'forever')]),
      )
      await audit(state, { viewer, action: 'setRetentionDays', regionId, values, at })
      return readRetention(state, viewer, regionId)
    }),
    route(previewRetention, async ({ params, body, viewer, at }) => ({
      steps: await previewRegion(
        options,
        await findRegion(state, viewer.scope, params.region_id),
        body.days,
        at,
      ),
    })),
    route(runRetention, async ({ params, viewer }) => {
      const { regionId } = await findRegion(state, viewer.scope, params.region_id)
      await jobs.send({ name: runNowJob }, { regionId, by: viewer.email })
      return { started: true }
    }),
    route(setRetentionHold, async ({ params: { region_id: regionId }, body: { reason }, viewer, at }) => {
      await findRegion(state, viewer.scope, regionId)
      if (!(await setHold(state.as(viewer.scope), regionId, { reason, userEmail: viewer.email, at })))
        throw new Problem('conflict', 'This region has a legal hold already.')
      const values = { reason: reason.slice(0, 200) }
      await audit(state, { viewer, action: 'setLegalHold', regionId, values, at })
      return readRetention(state, viewer, regionId)
    }),
    route(releaseRetentionHold, async ({ params: { region_id: regionId }, viewer, at }) => {
      await findRegion(state, viewer.scope, regionId)
      if (!(await releaseHold(state.as(viewer.scope), regionId, { userEmail: viewer.email, at })))
        throw new Problem('not_found', 'This region has no legal hold.')
      return readRetention(state, viewer, regionId)
    }),
    route(getRetentionLimits, async ({ params, viewer }) => {
      await findRegion(state, viewer.scope, params.region_id)
      return { removed_before: await findRemovedBefore(state, viewer.scope, params.region_id) }
    }),
  ]
}

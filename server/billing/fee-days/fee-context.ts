import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { type DueThresholds, listDirtyBetween, getPendingThresholds } from '#server/derived/dirty-spans.ts'
import { feeDays, settleDaysAgainMs } from '#server/fleet/fact-changes.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { DayCounts } from '#server/health/day-counts.ts'
import { regionScope } from '#server/identity/scope.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { computeFeeBasis } from './fee-days-product.ts'
import type { FeePeriod } from './fee-lines.ts'
import { type FeeRevision, listFeeRevisions } from './fee-revision.ts'

/** Dependencies of policy fees. */
export interface FeeSources {
  state: State
  facts: Facts
  membership: LayerMembership
  health: DayCounts
}

/** The fee policies of a region at a time. */
interface FeeContext {
  region: Region
  /** Includes all operators of the region. */
  fullScope: Scope
  revisions: FeeRevision[]
  /** Milliseconds since 1970. */
  now: number
}

/** Reads the fee policies of a region that the viewer may see. */
export async function readFeeContext(
  state: State,
  viewer: Scope,
  regionId: string,
  at: Date,
): Promise<FeeContext> {
  const region = await findRegion(state, viewer, regionId)
  const fullScope = regionScope(region.organizationId, regionId)
  const revisions = await listFeeRevisions(state, fullScope, region, at)
  return { region, fullScope, revisions, now: at.getTime() }
}

/** Returns the revisions under which an operator pays. Others add no lines. */
export const filterRevisionsOfPayer = (revisions: readonly FeeRevision[], operator: string): FeeRevision[] =>
  revisions.filter(({ policy }) => !policy.operators.length || policy.operators.includes(operator))

/** Lists days of a period with fees to be derived again. Without `due`, days that are not due count too. */
export function listDirtyDays(
  state: State,
  { region, fullScope }: FeeContext,
  { start_date, end_date }: FeePeriod,
  due: DueThresholds | null = null,
): Promise<LocalDay[]> {
  const owner = { product: feeDays, regionId: region.regionId, parts: [''] }
  return listDirtyBetween(state, fullScope, owner, { first: start_date, last: end_date, due })
}

/** Returns the number of days with amounts that are not computed yet, or are being recomputed. */
export async function countPendingDays(
  state: State,
  context: FeeContext,
  period: FeePeriod,
): Promise<number> {
  const due = getPendingThresholds(settleDaysAgainMs, context.now)
  return (await listDirtyDays(state, context, period, due)).length
}

/** Whether all revisions under which an operator pays in a span (ms) are marked with their current basis. */
export async function areRevisionsMarked(
  state: State,
  { region, fullScope, revisions, now }: FeeContext,
  operator: string,
  { from, until }: { from: number; until: number },
): Promise<boolean> {
  const rows = await state
    .as(fullScope)
    .selectFrom('fee_policy')
    .select(['policy_id', 'basis'])
    .where('region_id', '=', region.regionId)
    .execute()
  const markedBases = new Map(rows.map(({ policy_id: id, basis }) => [id, basis]))
  return filterRevisionsOfPayer(revisions, operator)
    .filter((revision) => revision.from < Math.min(until, now) && revision.until > from)
    .every((revision) => markedBases.get(revision.policyId) === computeFeeBasis(revision, region))
}

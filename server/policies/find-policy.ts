import type { Region } from '#contract/regions.ts'
import type { StoredPolicy, ListedPolicy } from '#contract/policies.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { listPolicy, newestOfEach, type PolicyRow, seenPolicies } from './policy-row.ts'
import { todayOf } from './today-of.ts'

const notFound = (): Problem => new Problem('not_found', policyTexts.unknown)

/** The error for a policy that was deleted while the user had it open. */
export const deletedMeanwhile = (): Problem =>
  new Problem(
    'conflict',
    'Somebody deleted this policy, or discarded this draft, after you began.',
    undefined,
    null,
  )

/** One revision of the Scope that is not deleted. */
export async function findRow(state: State, scope: Scope, policyId: string): Promise<PolicyRow> {
  const row = await seenPolicies(state, scope)
    .where('policy_id', '=', policyId)
    .where('is_deleted', '=', false)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** One revision, also of a deleted policy if it was published: for questions about the past. */
export async function findRetainedRow(state: State, scope: Scope, policyId: string): Promise<PolicyRow> {
  const row = await seenPolicies(state, scope).where('policy_id', '=', policyId).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** Every revision of a policy of the Scope, oldest first, also of a deleted one. */
export async function findRevisions(state: State, scope: Scope, constantId: string): Promise<PolicyRow[]> {
  const rows = await seenPolicies(state, scope)
    .where('constant_policy_id', '=', constantId)
    .orderBy('revision')
    .execute()
  if (!rows.length) throw notFound()
  return rows
}

/** One revision in the form of the contract. */
export async function findPolicy(
  state: State,
  scope: Scope,
  policyId: string,
  at: Date,
): Promise<ListedPolicy> {
  const row = await findRow(state, scope, policyId)
  const [region, revisions] = await Promise.all([
    findRegion(state, scope, row.region_id),
    findRevisions(state, scope, row.constant_policy_id),
  ])
  return listPolicy(row, revisions, todayOf(region, at))
}

/** The newest revision of a policy in the form of the contract. */
export async function findPolicyByConstant(
  state: State,
  scope: Scope,
  constantId: string,
  at: Date,
): Promise<ListedPolicy> {
  const revisions = await findRevisions(state, scope, constantId)
  const [row] = newestOfEach(revisions.filter(({ is_deleted: isDeleted }) => !isDeleted))
  if (!row) throw notFound()
  return listPolicy(row, revisions, todayOf(await findRegion(state, scope, row.region_id), at))
}

/** The newest revision of a policy, also of a deleted one. */
export async function findRetainedPolicy(
  state: State,
  scope: Scope,
  constantId: string,
  at: Date,
): Promise<StoredPolicy> {
  const revisions = await findRevisions(state, scope, constantId)
  const [row] = newestOfEach(revisions)
  if (!row) throw notFound()
  return {
    ...listPolicy(row, revisions, todayOf(await findRegion(state, scope, row.region_id), at)),
    is_deleted: row.is_deleted,
  }
}

/** A revision with its region, for a change; with a policy's constant id, its newest one. `seen`: the user saw it before, so that it must have been deleted since. */
export async function findPolicyRegion(
  state: State,
  scope: Scope,
  policyId: string,
  seen: string | undefined,
): Promise<{ region: Region; row: PolicyRow }> {
  const [row] = await seenPolicies(state, scope)
    .where((where) =>
      where.or([where('policy_id', '=', policyId), where('constant_policy_id', '=', policyId)]),
    )
    .where('is_deleted', '=', false)
    .orderBy((order) => order.case().when('policy_id', '=', policyId).then(0).else(1).end())
    .orderBy('revision', 'desc')
    .limit(1)
    .execute()
  if (!row) throw seen === undefined ? notFound() : deletedMeanwhile()
  return { region: await findRegion(state, scope, row.region_id), row }
}

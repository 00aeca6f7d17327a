import type { Region } from '#contract/regions.ts'
import type { StoredPolicy, ListedPolicy } from '#contract/policies.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { toListedPolicy, filterNewest, type PolicyRow, selectVisiblePolicies } from './policy-row.ts'
import { getToday } from './today-in.ts'

const createNotFoundProblem = (): Problem => new Problem('not_found', policyTexts.unknown)

/** Creates the error if a policy was deleted while the user had it open. */
export const createDeletedProblem = (): Problem =>
  new Problem(
    'conflict',
    'Somebody deleted this policy, or discarded this draft, after you began.',
    undefined,
    null,
  )

/** Finds a revision that is not deleted. */
export async function findRow(state: State, scope: Scope, policyId: string): Promise<PolicyRow> {
  const row = await selectVisiblePolicies(state, scope)
    .where('policy_id', '=', policyId)
    .where('is_deleted', '=', false)
    .executeTakeFirst()
  if (!row) throw createNotFoundProblem()
  return row
}

/** Finds a revision, including published ones of deleted policies, for questions about the past. */
export async function findRetainedRow(state: State, scope: Scope, policyId: string): Promise<PolicyRow> {
  const row = await selectVisiblePolicies(state, scope).where('policy_id', '=', policyId).executeTakeFirst()
  if (!row) throw createNotFoundProblem()
  return row
}

/** Finds all revisions of a policy, oldest first, including those of a deleted policy. */
export async function findRevisions(state: State, scope: Scope, constantId: string): Promise<PolicyRow[]> {
  const rows = await selectVisiblePolicies(state, scope)
    .where('constant_policy_id', '=', constantId)
    .orderBy('revision')
    .execute()
  if (!rows.length) throw createNotFoundProblem()
  return rows
}

/** Finds a revision that is not deleted, in the format of the API. */
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
  return toListedPolicy(row, revisions, getToday(region, at))
}

/** Finds the newest revision of a policy by its constant id, in the format of the API. */
export async function findPolicyByConstant(
  state: State,
  scope: Scope,
  constantId: string,
  at: Date,
): Promise<ListedPolicy> {
  const revisions = await findRevisions(state, scope, constantId)
  const [row] = filterNewest(revisions.filter(({ is_deleted: isDeleted }) => !isDeleted))
  if (!row) throw createNotFoundProblem()
  return toListedPolicy(row, revisions, getToday(await findRegion(state, scope, row.region_id), at))
}

/** Finds the newest revision of a policy, which may be deleted. */
export async function findRetainedPolicy(
  state: State,
  scope: Scope,
  constantId: string,
  at: Date,
): Promise<StoredPolicy> {
  const revisions = await findRevisions(state, scope, constantId)
  const [row] = filterNewest(revisions)
  if (!row) throw createNotFoundProblem()
  return {
    ...toListedPolicy(row, revisions, getToday(await findRegion(state, scope, row.region_id), at)),
    is_deleted: row.is_deleted,
  }
}

/**
 * Finds a revision with its region before a change.
 * @param policyId A revision's id, or the constant id of a policy, for which the newest revision is returned.
 * @param seenTime The `modified_time` that the user loaded, if any. A missing policy is then reported as
 * deleted in the meantime.
 */
export async function findPolicyRegion(
  state: State,
  scope: Scope,
  policyId: string,
  seenTime: string | undefined,
): Promise<{ region: Region; row: PolicyRow }> {
  const [row] = await selectVisiblePolicies(state, scope)
    .where((where) =>
      where.or([where('policy_id', '=', policyId), where('constant_policy_id', '=', policyId)]),
    )
    .where('is_deleted', '=', false)
    // A revision with this id comes before the revisions of a policy with this constant id.
    .orderBy((order) => order.case().when('policy_id', '=', policyId).then(0).else(1).end())
    .orderBy('revision', 'desc')
    .limit(1)
    .execute()
  if (!row) throw seenTime === undefined ? createNotFoundProblem() : createDeletedProblem()
  return { region: await findRegion(state, scope, row.region_id), row }
}

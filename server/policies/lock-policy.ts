import type { LocalDay } from '#contract/period.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import { Problem } from '#server/http/problem.ts'
import { deletedMeanwhile } from './find-policy.ts'
import { listPolicy, newestOfEach, policyColumns, type PolicyRow } from './policy-row.ts'
import type { Store } from '#server/stores/state.ts'

export interface LockedPolicy {
  /** The requested revision. */
  named: PolicyRow
  /** The revision that is edited: the draft if there is one. */
  newest: PolicyRow
  /** The revision in the feed. */
  inFeed: PolicyRow | null
  /** All revisions, oldest first. */
  revisions: PolicyRow[]
}

/**
 * Locks a policy until the transaction ends. Refuses if somebody changed it since `seen` (the modified_time that was read): `current` is
 * the stored revision, null if it was deleted. `today`: the region's local day.
 */
export async function lockPolicy(
  store: Store,
  regionId: string | null,
  policyId: string,
  seen: string | undefined,
  today: LocalDay,
): Promise<LockedPolicy> {
  const missing = (): Problem =>
    seen === undefined ? new Problem('not_found', policyTexts.unknown) : deletedMeanwhile()
  const [one] = await store
    .selectFrom('policy')
    .select(['constant_policy_id', 'region_id'])
    .where((where) =>
      where.or([where('policy_id', '=', policyId), where('constant_policy_id', '=', policyId)]),
    )
    .limit(1)
    .execute()
  if (!one || (regionId !== null && one.region_id !== regionId)) throw missing()
  const all = await store
    .selectFrom('policy')
    .select(policyColumns)
    .where('constant_policy_id', '=', one.constant_policy_id)
    .orderBy('revision')
    .forUpdate()
    .execute()
  const revisions = all.filter(({ is_deleted: isDeleted }) => !isDeleted)
  const [newest] = newestOfEach(revisions)
  if (!newest) throw missing()
  const named = revisions.find(({ policy_id: id }) => id === policyId) ?? newest
  if (seen !== undefined && Date.parse(seen) !== newest.modified_time.getTime()) {
    const current = listPolicy(newest, revisions, today)
    throw new Problem(
      'conflict',
      `“${current.policy_name}” was changed by ${current.modified_by_email ?? 'the server'} at ${current.modified_time}, after you began. Choose between the two.`,
      undefined,
      current,
    )
  }
  return { named, newest, revisions, inFeed: revisions.find(({ published }) => published) ?? null }
}

import type { LocalDay } from '#contract/period.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import { Problem } from '#server/http/problem.ts'
import { createDeletedProblem } from './find-policy.ts'
import { toListedPolicy, filterNewest, policyColumns, type PolicyRow } from './policy-row.ts'
import type { Store } from '#server/stores/state.ts'

/** A policy with revisions that cannot change until the transaction ends. */
export interface LockedPolicy {
  /** The requested revision; the newest one if the policy was requested by its constant id. */
  requested: PolicyRow
  /** The revision that is edited: the draft if there is one. */
  newest: PolicyRow
  /** The revision in the feed. */
  inFeed: PolicyRow | null
  /** All revisions, oldest first. */
  revisions: PolicyRow[]
}

/** Which policy is locked, and the revision that the user saw. */
interface PolicyLock {
  /** If given, the policy must belong to this region. */
  regionId?: string
  /** The id of a revision, or the constant id of the policy. */
  policyId: string
  /** The modified_time that the user read; if undefined, changes by others are not detected. */
  seenTime: string | undefined
  /** The region's local day. */
  today: LocalDay
}

/**
 * Locks all revisions of a policy until the transaction ends.
 * @throws Problem if somebody changed the policy since the user read it. Its `current` is then the stored
 * revision, or null if the policy was deleted.
 */
export async function lockPolicy(
  store: Store,
  { regionId, policyId, seenTime, today }: PolicyLock,
): Promise<LockedPolicy> {
  const createMissingProblem = (): Problem =>
    seenTime === undefined ? new Problem('not_found', policyTexts.unknown) : createDeletedProblem()
  const [row] = await store
    .selectFrom('policy')
    .select(['constant_policy_id', 'region_id'])
    .where((where) =>
      where.or([where('policy_id', '=', policyId), where('constant_policy_id', '=', policyId)]),
    )
    .limit(1)
    .execute()
  if (!row || (regionId !== undefined && row.region_id !== regionId)) throw createMissingProblem()
  const rows = await store
    .selectFrom('policy')
    .select(policyColumns)
    .where('constant_policy_id', '=', row.constant_policy_id)
    .orderBy('revision')
    .forUpdate()
    .execute()
  const revisions = rows.filter(({ is_deleted: isDeleted }) => !isDeleted)
  const [newest] = filterNewest(revisions)
  if (!newest) throw createMissingProblem()
  const requested = revisions.find(({ policy_id: id }) => id === policyId) ?? newest
  if (seenTime !== undefined && Date.parse(seenTime) !== newest.modified_time.getTime()) {
    const current = toListedPolicy(newest, revisions, today)
    throw new Problem(
      'conflict',
      `“${current.policy_name}” was changed by ${current.modified_by_email ?? 'the server'} at ${current.modified_time}, after you began. Choose between the two.`,
      undefined,
      current,
    )
  }
  return { requested, newest, revisions, inFeed: revisions.find(({ published }) => published) ?? null }
}

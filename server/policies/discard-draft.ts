import type { ListedPolicy } from '#contract/policies.ts'
import { Problem } from '#server/http/problem.ts'
import type { State } from '#server/stores/state.ts'
import { findPolicyRegion } from './find-policy.ts'
import { lockPolicy } from './lock-policy.ts'
import { toListedPolicy, filterNewest } from './policy-row.ts'
import type { PolicyChange } from './save-policy.ts'
import { getToday } from './today-in.ts'

/** Discards the draft of a published policy. Returns the revision in the feed. */
export async function discardDraft(
  state: State,
  { viewer: { scope }, body: { policy_uuid: policyId, if_modified_time: seenTime }, at }: PolicyChange,
): Promise<ListedPolicy> {
  const { region } = await findPolicyRegion(state, scope, policyId, seenTime)
  const today = getToday(region, at)
  return state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      const { newest, inFeed, revisions } = await lockPolicy(store, { policyId, seenTime, today })
      if (!inFeed || newest.published_time !== null)
        throw new Problem(
          'conflict',
          'There is no draft beside the published revision.',
          undefined,
          toListedPolicy(newest, revisions, today),
        )
      await store.deleteFrom('policy').where('policy_id', '=', newest.policy_id).execute()
      const otherRevisions = revisions.filter(({ policy_id: id }) => id !== newest.policy_id)
      return toListedPolicy(filterNewest(otherRevisions)[0] ?? inFeed, otherRevisions, today)
    })
}

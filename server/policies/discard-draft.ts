import type { ListedPolicy } from '#contract/policies.ts'
import { Problem } from '#server/http/problem.ts'
import type { State } from '#server/stores/state.ts'
import { findPolicyRegion } from './find-policy.ts'
import { lockPolicy } from './lock-policy.ts'
import { listPolicy, newestOfEach } from './policy-row.ts'
import type { By } from './save-policy.ts'
import { todayOf } from './today-of.ts'

/** Discards the draft of a published policy, which is then the revision in the feed. */
export async function discardDraft(
  state: State,
  { scope }: By,
  policyId: string,
  seen: string | undefined,
  at: Date,
): Promise<ListedPolicy> {
  const { region } = await findPolicyRegion(state, scope, policyId, seen)
  const today = todayOf(region, at)
  return state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      const { newest, inFeed, revisions } = await lockPolicy(store, null, policyId, seen, today)
      if (!inFeed || newest.published_time !== null)
        throw new Problem(
          'conflict',
          'There is no draft beside the published revision.',
          undefined,
          listPolicy(newest, revisions, today),
        )
      await store.deleteFrom('policy').where('policy_id', '=', newest.policy_id).execute()
      const others = revisions.filter(({ policy_id: id }) => id !== newest.policy_id)
      return listPolicy(newestOfEach(others)[0] ?? inFeed, others, today)
    })
}

import { nextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import type { State } from '#server/stores/state.ts'
import { findPolicyRegion } from './find-policy.ts'
import { inFeedAt } from './policy-row.ts'
import { lockPolicy } from './lock-policy.ts'
import type { By } from './save-policy.ts'
import { todayOf } from './today-of.ts'

/** Deletes a policy. Unpublished policies are removed; published revisions leave the feed and are marked as deleted, for history and compliance. */
export async function deletePolicy(
  state: State,
  { scope, email }: By,
  policyId: string,
  seen: string | undefined,
  at: Date,
): Promise<void> {
  const { region } = await findPolicyRegion(state, scope, policyId, seen)
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      const { newest, revisions } = await lockPolicy(store, null, policyId, seen, todayOf(region, at))
      const { constant_policy_id: constantId } = newest
      await store
        .deleteFrom('policy')
        .where('constant_policy_id', '=', constantId)
        .where('published_time', 'is', null)
        .execute()
      const held = inFeedAt(revisions, at.getTime()).map(({ policy_id: id }) => id)
      if (held.length)
        await store
          .updateTable('policy')
          .set({ published: false, unpublished_time: at })
          .where('policy_id', 'in', held)
          .execute()
      await store
        .updateTable('policy')
        .set({
          is_deleted: true,
          modified_time: nextModifiedTime(newest.modified_time, at),
          modified_by_email: email,
        })
        .where('constant_policy_id', '=', constantId)
        .execute()
    })
}

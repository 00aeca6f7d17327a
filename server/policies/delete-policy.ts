import { getNextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import type { State } from '#server/stores/state.ts'
import { findPolicyRegion } from './find-policy.ts'
import { filterInFeed } from './policy-row.ts'
import { lockPolicy } from './lock-policy.ts'
import type { PolicyChange } from './save-policy.ts'
import { getToday } from './today-in.ts'

/**
 * Deletes a policy. Drafts are removed. Published revisions leave the feed and are marked as deleted, because
 * history and compliance still need them.
 */
export async function deletePolicy(
  state: State,
  { viewer: { scope, email }, body: { policy_uuid: policyId, if_modified_time: seen }, at }: PolicyChange,
): Promise<void> {
  const { region } = await findPolicyRegion(state, scope, policyId, seen)
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      const { newest, revisions } = await lockPolicy(store, { policyId, seen, today: getToday(region, at) })
      const { constant_policy_id: constantId } = newest
      await store
        .deleteFrom('policy')
        .where('constant_policy_id', '=', constantId)
        .where('published_time', 'is', null)
        .execute()
      const inFeedIds = filterInFeed(revisions, at.getTime()).map(({ policy_id: id }) => id)
      if (inFeedIds.length)
        await store
          .updateTable('policy')
          .set({ published: false, unpublished_time: at })
          .where('policy_id', 'in', inFeedIds)
          .execute()
      await store
        .updateTable('policy')
        .set({
          is_deleted: true,
          modified_time: getNextModifiedTime(newest.modified_time, at),
          modified_by_email: email,
        })
        .where('constant_policy_id', '=', constantId)
        .execute()
    })
}

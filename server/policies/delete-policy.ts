import { getNextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import type { State } from '#server/stores/state.ts'
import { findPolicyRegion } from './find-policy.ts'
import { filterInFeed } from './policy-row.ts'
import { lockPolicy } from './lock-policy.ts'
import type { PolicyChange } from './save-policy.ts'
import { getToday } from './today-in.ts'

/** Deletes drafts. Published revisions only leave the feed, as history and compliance need them. */
export async function deletePolicy(
  state: State,
  { viewer: { scope, email }, body: { policy_uuid: policyId, if_modified_time: seenTime }, at }: PolicyChange,
): Promise<void> {
  const { region } = await findPolicyRegion(state, scope, policyId, seenTime)
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      const { newest, revisions } = await lockPolicy(store, {
        policyId,
        seenTime,
        today: getToday(region, at),
      })
      const { constant_policy_id: constantId } = newest
      await store
        .deleteFrom('policy')
        .where('constant_policy_id', '=', constantId)
        .where('published_time', 'is', null)
        .execute()
      const idsInFeed = filterInFeed(revisions, at.getTime()).map(({ policy_id: id }) => id)
      if (idsInFeed.length)
        await store
          .updateTable('policy')
          .set({ published: false, unpublished_time: at })
          .where('policy_id', 'in', idsInFeed)
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

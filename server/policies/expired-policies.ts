import { regionScope, systemScope } from '#server/identity/scope.ts'
import { eventsTopic, publishEvent } from '#server/notifications/events/publish-event.ts'
import type { State } from '#server/stores/state.ts'
import { publishedRevisions } from './published-revisions.ts'

/** Policies that ended earlier are not announced any more, such as those of before a webhook. */
const lookbackMs = 2 * 86_400_000

/** Tells webhooks of policies that are not in force any more and have no later revision, each once. */
export async function announceExpiredPolicies(state: State, at: Date, stop: AbortSignal): Promise<void> {
  const regions = await state
    .as(systemScope)
    .selectFrom('subscription')
    .innerJoin('region', 'region.region_id', 'subscription.region_id')
    .select(['region.region_id', 'region.organization_id'])
    .distinct()
    .where('subscription.topic', '=', eventsTopic)
    .execute()
  for (const { region_id: regionId, organization_id: organizationId } of regions) {
    if (stop.aborted) return
    const scope = regionScope(organizationId, regionId)
    const revisions = await publishedRevisions(state, scope, regionId, at)
    const ends = new Map<string, number | null>()
    for (const { policy, until } of revisions) {
      const id = policy.constant_policy_uuid
      const before = ends.get(id)
      ends.set(id, before === null || until === null ? null : Math.max(before ?? 0, until))
    }
    for (const { policy, until } of revisions) {
      const id = policy.constant_policy_uuid
      const now = at.getTime()
      if (until === null || until !== ends.get(id) || until > now || until < now - lookbackMs) continue
      await state
        .as(scope)
        .transaction()
        .execute(async (store) => {
          const first = await store
            .insertInto('announced_event')
            .values({ region_id: regionId, type: 'policy.expired', subject: policy.policy_uuid, at })
            .onConflict((there) => there.doNothing())
            .returning('subject')
            .executeTakeFirst()
          if (!first) return
          const data = {
            policy_id: policy.policy_uuid,
            constant_policy_id: id,
            name: policy.policy_name,
            end_date: until,
          }
          await publishEvent(store, { type: 'policy.expired', regionId, data }, at)
        })
    }
  }
}

import { dayMs } from '#contract/period.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { eventsTopic, publishEvent } from '#server/notifications/events/publish-event.ts'
import type { State } from '#server/stores/state.ts'
import { findPublishedRevisions } from './published-revisions.ts'

/** Policies that ended earlier are not announced, such as those that ended before a webhook was added. */
const lookbackMs = 2 * dayMs

/** Publishes an event, once per policy, for policies that have expired and have no later revision. */
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
    const revisions = await findPublishedRevisions(state, scope, regionId, at)
    /** Latest ends by constant id; null for policies without an end. */
    const latestEnds = new Map<string, number | null>()
    for (const { policy, until } of revisions) {
      const id = policy.constant_policy_uuid
      const latestEnd = latestEnds.get(id)
      latestEnds.set(id, latestEnd === null || until === null ? null : Math.max(latestEnd ?? 0, until))
    }
    for (const { policy, until } of revisions) {
      const id = policy.constant_policy_uuid
      const now = at.getTime()
      if (until === null || until !== latestEnds.get(id) || until > now || until < now - lookbackMs) continue
      await state
        .as(scope)
        .transaction()
        .execute(async (store) => {
          const announcedRow = await store
            .insertInto('announced_event')
            .values({ region_id: regionId, type: 'policy.expired', subject: policy.policy_uuid, at })
            .onConflict((conflict) => conflict.doNothing())
            .returning('subject')
            .executeTakeFirst()
          const wasAnnounced = announcedRow === undefined
          if (wasAnnounced) return
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

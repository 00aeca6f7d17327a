import type { HealthRegion } from '../health-region.ts'
import { queueNotifications } from '#server/notifications/notification-store.ts'
import type { Store } from '#server/stores/state.ts'
import { incidentKindName, type IncidentPayload } from './incident-kind.ts'
import { selectSubscriptions } from './subscriptions.ts'

/**
 * Queues the mails about a step: one per user, by an immediate subscription if the user has a matching one.
 * Whether the user may see the operator is checked when the mail is sent.
 */
export async function queueIncident(
  store: Store,
  { organizationId, regionId }: HealthRegion,
  { operator, stepId, at }: { operator: string; stepId: string; at: Date },
): Promise<void> {
  const rows = await selectSubscriptions(store, regionId, operator)
    .select(['subscription_id', 'user_id', 'cadence'])
    .where('organization_id', '=', organizationId)
    .orderBy('subscription_id')
    .execute()
  const subscriptionByUser = new Map<string, (typeof rows)[number]>()
  for (const row of rows.toSorted(
    (a, b) => Number(b.cadence === 'immediate') - Number(a.cadence === 'immediate'),
  ))
    if (!subscriptionByUser.has(row.user_id)) subscriptionByUser.set(row.user_id, row)
  const payload: IncidentPayload = { step_id: stepId }
  await queueNotifications(
    store,
    [...subscriptionByUser.values()].map(({ subscription_id: subscriptionId, user_id: userId }) => ({
      kind: incidentKindName,
      regionId,
      userId,
      subscriptionId,
      payload,
    })),
    at,
  )
}

import { type WebhookEvent, webhookEventNames } from '#contract/webhooks.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { NotificationKind } from '../notification.ts'
import { queueNotifications } from '../notification-store.ts'
import { canReceive } from '../recipient.ts'

/** The topic of subscriptions to events. */
export const eventsTopic = 'events'
export const testEvent = 'webhook.test'

/** An event that is sent to webhooks. */
export interface PublishedEvent {
  type: WebhookEvent
  regionId: string
  /** The operator that the event is about; null if it is about none in particular. */
  operator?: string | null
  /** Ids and other data, but no personal data. */
  data: object
}

interface EventPayload {
  operator: string | null
  data: object
}

/** Creates the notification kinds of webhooks, one per event. */
export const createEventKinds = (): NotificationKind[] =>
  [...webhookEventNames, testEvent].map((name) => ({
    name,
    composeMail: () => Promise.resolve(null),
    composeData(payload, { recipient, region }) {
      const { operator, data } = payload as EventPayload
      if (!recipient.isAdmin || (operator !== null && !canReceive(recipient, operator))) return null
      return { region_id: region.regionId, ...data }
    },
  }))

/** Finds the subscriptions of a region that receive an event. */
async function findSubscribers(store: Store, regionId: string, type: WebhookEvent) {
  const rows = await store
    .selectFrom('subscription')
    .select(['subscription_id', 'user_id', 'events'])
    .where('topic', '=', eventsTopic)
    .where('region_id', '=', regionId)
    .where('disabled_time', 'is', null)
    .execute()
  return rows.filter(({ events }) => events?.includes(type))
}

/** Queues the messages about an event, in the transaction of the change, so that both are stored or none. */
export async function publishEvent(
  store: Store,
  { type, regionId, operator = null, data }: PublishedEvent,
  at: Date,
): Promise<void> {
  const payload: EventPayload = { operator, data }
  await queueNotifications(
    store,
    (await findSubscribers(store, regionId, type)).map(
      ({ subscription_id: subscriptionId, user_id: userId }) => ({
        kind: type,
        regionId,
        userId,
        subscriptionId,
        payload,
      }),
    ),
    at,
  )
}

/** Queues the messages about an event of the server, in every region with webhooks. */
export async function publishServerEvent(
  state: State,
  type: WebhookEvent,
  data: object,
  at: Date,
): Promise<void> {
  const store = state.as(systemScope)
  const regions = await store
    .selectFrom('subscription')
    .select('region_id')
    .distinct()
    .where('topic', '=', eventsTopic)
    .where('region_id', 'is not', null)
    .execute()
  for (const { region_id: regionId } of regions)
    if (regionId !== null) await publishEvent(store, { type, regionId, data }, at)
}

import { randomUUID } from 'node:crypto'
import type * as contract from '#contract/webhooks.ts'
import {
  maxListedDeliveries,
  maxWebhooks,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  webhookEventNames,
} from '#contract/webhooks.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { type Delivery, findDelivery, listNewestDeliveries } from '../deliveries.ts'
import type { Notifications } from '../open-notifications.ts'
import { replaceSecret, sendTest } from '../subscriptions.ts'
import { type CheckAddress, checkWebhookUrl, makeSecret, sealSecret } from '../webhook.ts'
import { eventsTopic, testEvent } from './publish-event.ts'

export interface WebhookContext {
  state: State
  secretBox: SecretBox
  notifications: Notifications
  /** Throws if the server must not call the address. */
  checkAddress: CheckAddress
}

interface WebhookRef {
  region_id: string
  webhook_id: string
}

const toIso = (time: Date | null): string | null => time?.toISOString() ?? null

const readDelivery = ({ id, kind, status }: Delivery): WebhookDelivery => ({
  delivery_id: id,
  event: kind,
  ...status,
})

async function findNewestDeliveries(
  state: State,
  { scope }: Viewer,
  webhookId: string,
  count: number,
): Promise<WebhookDelivery[]> {
  return (await listNewestDeliveries(state, scope, webhookId, count)).map(readDelivery)
}

const selectWebhooks = (state: State, viewer: Viewer, regionId: string) =>
  state
    .as(viewer.scope)
    .selectFrom('subscription')
    .innerJoin('user', 'user.id', 'subscription.user_id')
    .select([
      'subscription.subscription_id',
      'subscription.url',
      'subscription.events',
      'subscription.created_time',
      'subscription.disabled_time',
      'user.email',
    ])
    .where('subscription.topic', '=', eventsTopic)
    .where('subscription.region_id', '=', regionId)

type WebhookRow = Awaited<ReturnType<ReturnType<typeof selectWebhooks>['execute']>>[number]

async function readWebhook(
  state: State,
  viewer: Viewer,
  regionId: string,
  row: WebhookRow,
): Promise<Webhook> {
  const [lastDelivery] = await findNewestDeliveries(state, viewer, row.subscription_id, 1)
  return {
    webhook_id: row.subscription_id,
    region_id: regionId,
    url: row.url ?? '',
    events: webhookEventNames.filter((event) => row.events?.includes(event)),
    owner_email: row.email,
    created_time: row.created_time.toISOString(),
    disabled_time: toIso(row.disabled_time),
    last: lastDelivery ?? null,
  }
}

/** Lists the webhooks of a region, oldest first. */
export async function listWebhooks(
  state: State,
  viewer: Viewer,
  regionId: string,
): Promise<{ items: Webhook[] }> {
  await findRegion(state, viewer.scope, regionId)
  const rows = await selectWebhooks(state, viewer, regionId)
    .orderBy('subscription.created_time')
    .orderBy('subscription.subscription_id')
    .execute()
  const items: Webhook[] = []
  for (const row of rows) items.push(await readWebhook(state, viewer, regionId, row))
  return { items }
}

async function findWebhook(
  state: State,
  viewer: Viewer,
  { region_id: regionId, webhook_id: id }: WebhookRef,
): Promise<Webhook> {
  const row = await selectWebhooks(state, viewer, regionId)
    .where('subscription.subscription_id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such webhook.'))
  return readWebhook(state, viewer, regionId, row)
}

/** Adds a webhook and returns its signing secret, which cannot be read later. */
export async function addWebhook(
  { state, secretBox, checkAddress }: WebhookContext,
  { viewer, params: { region_id: regionId }, body: { url, events }, at }: Call<typeof contract.addWebhook>,
): Promise<{ webhook: Webhook; secret: string }> {
  if (viewer.admin) throw new Problem('forbidden', 'Add webhooks as yourself, not as another user.')
  await findRegion(state, viewer.scope, regionId)
  await checkWebhookUrl(checkAddress, url)
  const id = randomUUID()
  const secret = makeSecret()
  await state
    .as(viewer.scope)
    .transaction()
    .execute(async (store) => {
      const { count } = await store
        .selectFrom('subscription')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('topic', '=', eventsTopic)
        .where('region_id', '=', regionId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= maxWebhooks)
        throw new Problem('conflict', `The region has ${count} webhooks, which is the maximum.`)
      const insertedRow = await store
        .insertInto('subscription')
        .values({
          subscription_id: id,
          organization_id: viewer.organizationId,
          topic: eventsTopic,
          region_id: regionId,
          user_id: viewer.userId,
          operator: null,
          channel: 'webhook',
          cadence: 'immediate',
          url,
          sealed_secret: sealSecret(secretBox, id, secret),
          events: JSON.stringify(events),
          created_time: at,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('subscription_id')
        .executeTakeFirst()
      if (!insertedRow)
        throw new Problem('conflict', 'You have a webhook with this address already: change its events.')
    })
  return { webhook: await findWebhook(state, viewer, { region_id: regionId, webhook_id: id }), secret }
}

/** Changes the events that a webhook receives. */
export async function changeWebhook(
  state: State,
  viewer: Viewer,
  ref: WebhookRef,
  events: readonly WebhookEvent[],
): Promise<Webhook> {
  await findWebhook(state, viewer, ref)
  await state
    .as(viewer.scope)
    .updateTable('subscription')
    .set({ events: JSON.stringify(events) })
    .where('subscription_id', '=', ref.webhook_id)
    .execute()
  return findWebhook(state, viewer, ref)
}

/** Removes a webhook with its pending messages. */
export async function removeWebhook(
  state: State,
  viewer: Viewer,
  ref: WebhookRef,
): Promise<{ removed: boolean }> {
  await findWebhook(state, viewer, ref)
  await state
    .as(viewer.scope)
    .deleteFrom('subscription')
    .where('topic', '=', eventsTopic)
    .where('subscription_id', '=', ref.webhook_id)
    .execute()
  return { removed: true }
}

/** Replaces the secret. For a day, messages are also signed with the previous one (`secretOverlapMs`). */
export async function rotateWebhookSecret(
  context: Pick<WebhookContext, 'state' | 'secretBox'>,
  viewer: Viewer,
  ref: WebhookRef,
  at: Date,
): Promise<{ secret: string }> {
  await findWebhook(context.state, viewer, ref)
  return replaceSecret(context, viewer.scope, ref.webhook_id, at)
}

/** Sends a test message immediately. A disabled webhook that accepts it is enabled again. */
export async function testWebhook(
  context: Pick<WebhookContext, 'state' | 'notifications'>,
  viewer: Viewer,
  ref: WebhookRef,
  at: Date,
): Promise<WebhookDelivery> {
  const { state } = context
  await findWebhook(state, viewer, ref)
  const { region_id: regionId, webhook_id: subscriptionId } = ref
  const { user_id: userId } = await state
    .as(viewer.scope)
    .selectFrom('subscription')
    .select('user_id')
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirstOrThrow()
  const message = { kind: testEvent, regionId, userId, subscriptionId, payload: { operator: null, data: {} } }
  const id = await sendTest(context, viewer, message, at)
  return readDelivery(await findDelivery(state, viewer.scope, subscriptionId, id))
}

/** Lists the newest messages of a webhook. */
export async function listWebhookDeliveries(
  state: State,
  viewer: Viewer,
  ref: WebhookRef,
): Promise<{ items: WebhookDelivery[] }> {
  await findWebhook(state, viewer, ref)
  return { items: await findNewestDeliveries(state, viewer, ref.webhook_id, maxListedDeliveries) }
}

/** Sends a logged message again under the same id. */
export async function replayWebhookDelivery(
  { state, notifications }: Pick<WebhookContext, 'state' | 'notifications'>,
  viewer: Viewer,
  { delivery_id: deliveryId, ...ref }: WebhookRef & { delivery_id: string },
  at: Date,
): Promise<WebhookDelivery> {
  await findWebhook(state, viewer, ref)
  await findDelivery(state, viewer.scope, ref.webhook_id, deliveryId)
  await notifications.replay(state.as(viewer.scope), ref.webhook_id, deliveryId, at)
  return readDelivery(await findDelivery(state, viewer.scope, ref.webhook_id, deliveryId))
}

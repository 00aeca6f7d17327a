import { randomUUID } from 'node:crypto'
import {
  maxListedDeliveries,
  maxWebhooks,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  webhookEventNames,
} from '#contract/webhooks.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { tryConsumeRateLimit } from '#server/identity/rate-limit.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import type { Notifications } from '../open-notifications.ts'
import { type CheckAddress, checkWebhookUrl, newSecret, sealSecret, secretOverlapMs } from '../webhook.ts'
import { eventsTopic, testEvent } from './publish-event.ts'

export interface WebhookContext {
  state: State
  box: SecretBox
  notifications: Notifications
  /** Throws if the address must not be called. */
  checkAddress: CheckAddress
}

interface OneWebhook {
  region_id: string
  webhook_id: string
}

const tenMinutesMs = 10 * 60_000
/** Tests per user within ten minutes: each calls another server. */
const maxTests = 10

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

const deliveryRows = (state: State, viewer: Viewer, webhookId: string) =>
  state
    .as(viewer.scope)
    .selectFrom('notification')
    .select([
      'notification_id',
      'kind',
      'created_time',
      'state',
      'tries',
      'next_time',
      'done_time',
      'http_status',
      'problem',
    ])
    .where('subscription_id', '=', webhookId)

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof deliveryRows>['execute']>>[number]

const readDelivery = ({ notification_id, kind, ...row }: DeliveryRow): WebhookDelivery => ({
  ...row,
  delivery_id: notification_id,
  event: kind,
  state: row.state as WebhookDelivery['state'],
  created_time: row.created_time.toISOString(),
  next_time: iso(row.next_time),
  done_time: iso(row.done_time),
})

async function newest(
  state: State,
  viewer: Viewer,
  webhookId: string,
  count: number,
): Promise<WebhookDelivery[]> {
  const rows = await deliveryRows(state, viewer, webhookId)
    .orderBy('created_time', 'desc')
    .orderBy('notification_id')
    .limit(count)
    .execute()
  return rows.map(readDelivery)
}

async function findDelivery(
  state: State,
  viewer: Viewer,
  webhookId: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const row = await deliveryRows(state, viewer, webhookId)
    .where('notification_id', '=', deliveryId)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such message.')
  return readDelivery(row)
}

const webhookRows = (state: State, viewer: Viewer, regionId: string) =>
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

type WebhookRow = Awaited<ReturnType<ReturnType<typeof webhookRows>['execute']>>[number]

async function readWebhook(
  state: State,
  viewer: Viewer,
  regionId: string,
  row: WebhookRow,
): Promise<Webhook> {
  const [last] = await newest(state, viewer, row.subscription_id, 1)
  return {
    webhook_id: row.subscription_id,
    region_id: regionId,
    url: row.url ?? '',
    events: webhookEventNames.filter((each) => row.events?.includes(each)),
    owner_email: row.email,
    created_time: row.created_time.toISOString(),
    disabled_time: iso(row.disabled_time),
    last: last ?? null,
  }
}

/** Webhooks of a region, oldest first. */
export async function listWebhooks(
  state: State,
  viewer: Viewer,
  regionId: string,
): Promise<{ items: Webhook[] }> {
  await findRegion(state, viewer.scope, regionId)
  const rows = await webhookRows(state, viewer, regionId)
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
  { region_id: regionId, webhook_id: id }: OneWebhook,
): Promise<Webhook> {
  const row = await webhookRows(state, viewer, regionId)
    .where('subscription.subscription_id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such webhook.')
  return readWebhook(state, viewer, regionId, row)
}

export async function addWebhook(
  { state, box, checkAddress }: WebhookContext,
  viewer: Viewer,
  regionId: string,
  { url, events }: { url: string; events: readonly WebhookEvent[] },
  at: Date,
): Promise<{ webhook: Webhook; secret: string }> {
  if (viewer.admin) throw new Problem('forbidden', 'Add webhooks as yourself, not as another user.')
  await findRegion(state, viewer.scope, regionId)
  await checkWebhookUrl(checkAddress, url)
  const [id, secret] = [randomUUID(), newSecret()]
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
      const made = await store
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
          sealed_secret: sealSecret(box, id, secret),
          events: JSON.stringify(events),
          created_time: at,
        })
        .onConflict((there) => there.doNothing())
        .returning('subscription_id')
        .executeTakeFirst()
      if (!made)
        throw new Problem('conflict', 'You have a webhook with this address already: change its events.')
    })
  return { webhook: await findWebhook(state, viewer, { region_id: regionId, webhook_id: id }), secret }
}

export async function changeWebhook(
  state: State,
  viewer: Viewer,
  one: OneWebhook,
  events: readonly WebhookEvent[],
): Promise<Webhook> {
  await findWebhook(state, viewer, one)
  await state
    .as(viewer.scope)
    .updateTable('subscription')
    .set({ events: JSON.stringify(events) })
    .where('subscription_id', '=', one.webhook_id)
    .execute()
  return findWebhook(state, viewer, one)
}

/** Removes a webhook with its messages. */
export async function removeWebhook(
  state: State,
  viewer: Viewer,
  one: OneWebhook,
): Promise<{ removed: boolean }> {
  await findWebhook(state, viewer, one)
  await state
    .as(viewer.scope)
    .deleteFrom('subscription')
    .where('topic', '=', eventsTopic)
    .where('subscription_id', '=', one.webhook_id)
    .execute()
  return { removed: true }
}

/** Replaces the secret. The previous one also signs for a day, so that the receiver can change over. */
export async function rotateWebhookSecret(
  { state, box }: Pick<WebhookContext, 'state' | 'box'>,
  viewer: Viewer,
  one: OneWebhook,
  at: Date,
): Promise<{ secret: string }> {
  await findWebhook(state, viewer, one)
  const secret = newSecret()
  await state
    .as(viewer.scope)
    .updateTable('subscription')
    .set((row) => ({
      sealed_secret: sealSecret(box, one.webhook_id, secret),
      previous_sealed_secret: row.ref('sealed_secret'),
      previous_until: new Date(at.getTime() + secretOverlapMs),
    }))
    .where('subscription_id', '=', one.webhook_id)
    .execute()
  return { secret }
}

/** Sends a test at once. A webhook that was off and accepts it is on again. */
export async function testWebhook(
  { state, notifications }: Pick<WebhookContext, 'state' | 'notifications'>,
  viewer: Viewer,
  one: OneWebhook,
  at: Date,
): Promise<WebhookDelivery> {
  await findWebhook(state, viewer, one)
  if (!(await tryConsumeRateLimit(state, `webhook-test:${viewer.userId}`, maxTests, tenMinutesMs, at)))
    throw new Problem('too_many_requests', `At most ${maxTests} tests in ten minutes.`)
  const store = state.as(viewer.scope)
  const { user_id: userId } = await store
    .selectFrom('subscription')
    .select('user_id')
    .where('subscription_id', '=', one.webhook_id)
    .executeTakeFirstOrThrow()
  const { id, outcome } = await notifications.sendTest(
    store,
    {
      kind: testEvent,
      regionId: one.region_id,
      userId,
      subscriptionId: one.webhook_id,
      payload: { operator: null, data: {} },
    },
    at,
  )
  if (outcome.problem === null)
    await store
      .updateTable('subscription')
      .set({ disabled_time: null })
      .where('subscription_id', '=', one.webhook_id)
      .execute()
  return findDelivery(state, viewer, one.webhook_id, id)
}

export async function listDeliveries(
  state: State,
  viewer: Viewer,
  one: OneWebhook,
): Promise<{ items: WebhookDelivery[] }> {
  await findWebhook(state, viewer, one)
  return { items: await newest(state, viewer, one.webhook_id, maxListedDeliveries) }
}

/** Sends a message of the log again under its id. */
export async function replayDelivery(
  { state, notifications }: Pick<WebhookContext, 'state' | 'notifications'>,
  viewer: Viewer,
  { delivery_id: deliveryId, ...one }: OneWebhook & { delivery_id: string },
  at: Date,
): Promise<WebhookDelivery> {
  await findWebhook(state, viewer, one)
  await findDelivery(state, viewer, one.webhook_id, deliveryId)
  await notifications.replay(state.as(viewer.scope), one.webhook_id, deliveryId, at)
  return findDelivery(state, viewer, one.webhook_id, deliveryId)
}

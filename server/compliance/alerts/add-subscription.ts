import { randomUUID } from 'node:crypto'
import {
  type addAlertSubscription,
  type AlertSubscription,
  maxAlertSubscriptions,
  type NewAlertSubscription,
} from '#contract/compliance-alerts.ts'
import { localDay } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { type CheckAddress, checkWebhookUrl, makeSecret, sealSecret } from '#server/notifications/webhook.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State, Store } from '#server/stores/state.ts'
import { findSubscription } from './find-subscriptions.ts'

export interface SubscriptionContext {
  state: State
  secretBox: SecretBox
  checkAddress: CheckAddress
}

/** Finds the user's existing mail subscription to the same policy and operator. */
const findSameMailSubscription = (
  store: Store,
  { userId }: Viewer,
  regionId: string,
  { constant_policy_uuid: policyId, operator }: NewAlertSubscription,
) =>
  store
    .selectFrom('subscription')
    .select('subscription_id')
    .where('topic', '=', 'violations')
    .where('user_id', '=', userId)
    .where('region_id', '=', regionId)
    .where('channel', '=', 'email')
    .where('constant_policy_id', policyId === null ? 'is' : '=', policyId)
    .where('operator', operator === null ? 'is' : '=', operator)
    .executeTakeFirst()

/** Checks that the viewer may subscribe to violations of this policy and operator. @throws Problem if not. */
async function checkVisible(
  store: Store,
  { scope }: Viewer,
  regionId: string,
  { constant_policy_uuid: policyId, operator }: NewAlertSubscription,
): Promise<void> {
  if (operator !== null && scope.operators?.includes(operator) === false)
    throw new Problem('validation_error', 'operator: You see your own operators only.')
  if (policyId === null) return
  const publishedRow = await store
    .selectFrom('policy')
    .select('policy_id')
    .where('region_id', '=', regionId)
    .where('constant_policy_id', '=', policyId)
    .where('published_time', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (!publishedRow) throw new Problem('not_found', 'There is no such published policy.')
}

/** Checks that the viewer may add a subscription in the region. @throws Problem if there are too many. */
async function checkBelowMaximum(store: Store, { userId }: Viewer, regionId: string): Promise<void> {
  const { count } = await store
    .selectFrom('subscription')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('topic', '=', 'violations')
    .where('user_id', '=', userId)
    .where('region_id', '=', regionId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxAlertSubscriptions)
    throw new Problem(
      'conflict',
      `You have ${count} subscriptions in this region, which is the maximum. End one first.`,
    )
}

/** Returns the columns that depend on the channel. @param secret The secret of a webhook; null for emails. */
const getChannelColumns = (
  secretBox: SecretBox,
  subscriptionId: string,
  requested: NewAlertSubscription,
  secret: string | null,
) =>
  requested.channel === 'webhook'
    ? {
        cadence: 'immediate',
        url: requested.url,
        sealed_secret: sealSecret(secretBox, subscriptionId, secret ?? ''),
      }
    : { cadence: requested.cadence, url: null, sealed_secret: null }

/** Subscribes a user from the current day, or changes the cadence of an equal email subscription. */
export async function addSubscription(
  { state, secretBox, checkAddress }: SubscriptionContext,
  { viewer, params: { region_id: regionId }, body: requested, at }: Call<typeof addAlertSubscription>,
): Promise<{ subscription: AlertSubscription; secret: string | null }> {
  const region = await findRegion(state, viewer.scope, regionId)
  const store = state.as(viewer.scope)
  await checkVisible(store, viewer, regionId, requested)
  if (requested.channel === 'webhook') await checkWebhookUrl(checkAddress, requested.url)
  const secret = requested.channel === 'webhook' ? makeSecret() : null
  const id = await store.transaction().execute(async (transaction) => {
    const existing =
      requested.channel === 'email'
        ? await findSameMailSubscription(transaction, viewer, regionId, requested)
        : undefined
    if (existing && requested.channel === 'email') {
      await transaction
        .updateTable('subscription')
        .set({ cadence: requested.cadence })
        .where('subscription_id', '=', existing.subscription_id)
        .execute()
      return existing.subscription_id
    }
    await checkBelowMaximum(transaction, viewer, regionId)
    const subscriptionId = randomUUID()
    await transaction
      .insertInto('subscription')
      .values({
        subscription_id: subscriptionId,
        organization_id: viewer.organizationId,
        topic: 'violations',
        region_id: regionId,
        user_id: viewer.userId,
        constant_policy_id: requested.constant_policy_uuid,
        operator: requested.operator,
        channel: requested.channel,
        ...getChannelColumns(secretBox, subscriptionId, requested, secret),
        first_day: localDay(at, region.timezone),
        created_time: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('subscription_id')
      .executeTakeFirstOrThrow(() => new Problem('conflict', 'This webhook has this subscription already.'))
    return subscriptionId
  })
  return {
    subscription: await findSubscription(state, viewer, { region_id: regionId, subscription_id: id }),
    secret,
  }
}

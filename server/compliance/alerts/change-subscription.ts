import type { Viewer } from '#server/http/viewer.ts'
import { Problem } from '#server/http/problem.ts'
import { systemScope } from '#server/identity/scope.ts'
import { newSecret, sealSecret, secretOverlapMs } from '#server/notifications/webhook.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { findSubscription, type SubscriptionRef } from './find-subscriptions.ts'

/** Replaces the secret of a webhook. The previous one also signs for a day, so that the receiver can switch over. */
export async function rotateSecret(
  { state, box }: { state: State; box: SecretBox },
  viewer: Viewer,
  one: SubscriptionRef,
  at: Date,
): Promise<{ secret: string }> {
  const { channel } = await findSubscription(state, viewer, one)
  if (channel !== 'webhook') throw new Problem('conflict', 'E-mails are not signed, so they have no secret.')
  const secret = newSecret()
  await state
    .as(viewer.scope)
    .updateTable('subscription')
    .set((row) => ({
      sealed_secret: sealSecret(box, one.subscription_id, secret),
      previous_sealed_secret: row.ref('sealed_secret'),
      previous_until: new Date(at.getTime() + secretOverlapMs),
    }))
    .where('subscription_id', '=', one.subscription_id)
    .where('user_id', '=', viewer.userId)
    .execute()
  return { secret }
}

/** Ends a subscription of the user; pending messages are not sent. */
export async function endSubscription(
  state: State,
  viewer: Viewer,
  one: SubscriptionRef,
): Promise<{ ended: boolean }> {
  await findSubscription(state, viewer, one)
  await state
    .as(viewer.scope)
    .deleteFrom('subscription')
    .where('subscription_id', '=', one.subscription_id)
    .where('user_id', '=', viewer.userId)
    .execute()
  return { ended: true }
}

/** Ends the subscription of a mail's token; the response is the same if there is none. */
export async function endSubscriptionByToken(state: State, token: string): Promise<{ ended: boolean }> {
  await state
    .as(systemScope)
    .deleteFrom('subscription')
    .where('topic', '=', 'violations')
    .where('token', '=', token)
    .where('channel', '=', 'email')
    .execute()
  return { ended: true }
}

import type { Viewer } from '#server/http/viewer.ts'
import { Problem } from '#server/http/problem.ts'
import { systemScope } from '#server/identity/scope.ts'
import { replaceSecret } from '#server/notifications/subscriptions.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { findSubscription, type SubscriptionRef } from './find-subscriptions.ts'

/** Replaces the secret of a webhook. */
export async function rotateSecret(
  context: { state: State; secretBox: SecretBox },
  viewer: Viewer,
  ref: SubscriptionRef,
  at: Date,
): Promise<{ secret: string }> {
  const { channel } = await findSubscription(context.state, viewer, ref)
  if (channel !== 'webhook') throw new Problem('conflict', 'E-mails are not signed, so they have no secret.')
  return replaceSecret(context, viewer.scope, ref.subscription_id, at)
}

/** Ends a subscription of the user; pending messages are not sent. */
export async function endSubscription(
  state: State,
  viewer: Viewer,
  ref: SubscriptionRef,
): Promise<{ ended: boolean }> {
  await findSubscription(state, viewer, ref)
  await state
    .as(viewer.scope)
    .deleteFrom('subscription')
    .where('subscription_id', '=', ref.subscription_id)
    .where('user_id', '=', viewer.userId)
    .execute()
  return { ended: true }
}

/** Ends the subscription of an unsubscribe link. The response does not reveal whether there was one. */
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

import type { Viewer } from '#server/http/viewer.ts'
import { Problem } from '#server/http/problem.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { findSubscription, type SubscriptionRef } from './find-subscriptions.ts'
import { newSecret, sealSecret } from './sign.ts'

/** Gives a webhook another secret; the former one signs nothing any more, also of messages that wait. */
export async function rotateSecret(
  { state, box }: { state: State; box: SecretBox },
  viewer: Viewer,
  one: SubscriptionRef,
): Promise<{ secret: string }> {
  const { channel } = await findSubscription(state, viewer, one)
  if (channel !== 'webhook') throw new Problem('conflict', 'Mails are not signed.')
  const secret = newSecret()
  await state
    .as(viewer.scope)
    .updateTable('alert_subscription')
    .set({ sealed_secret: sealSecret(box, one.subscription_id, secret) })
    .where('subscription_id', '=', one.subscription_id)
    .where('user_id', '=', viewer.userId)
    .execute()
  return { secret }
}

/** Ends one of the user's own; what waits is not sent. */
export async function endSubscription(
  state: State,
  viewer: Viewer,
  one: SubscriptionRef,
): Promise<{ ended: boolean }> {
  await findSubscription(state, viewer, one)
  await state
    .as(viewer.scope)
    .deleteFrom('alert_subscription')
    .where('subscription_id', '=', one.subscription_id)
    .where('user_id', '=', viewer.userId)
    .execute()
  return { ended: true }
}

/** Ends the subscription of the link in its mails; said in the same way where there is none any more. */
export async function endSubscriptionByToken(state: State, token: string): Promise<{ ended: boolean }> {
  await state
    .as(systemScope)
    .deleteFrom('alert_subscription')
    .where('token', '=', token)
    .where('channel', '=', 'email')
    .execute()
  return { ended: true }
}

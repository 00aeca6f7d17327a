import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { tryConsumeRateLimit } from '#server/identity/rate-limit.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import type { NewNotification } from './notification.ts'
import type { Notifications } from './open-notifications.ts'
import { makeSecret, sealSecret, secretOverlapMs } from './webhook.ts'

const tenMinutesMs = 10 * 60_000
/** Maximum tests per user and kind within ten minutes, because each sends mail or calls another server. */
const maxTests = 10

/** Replaces the secret of a webhook. For a day (`secretOverlapMs`), messages are signed with the previous one too. */
export async function replaceSecret(
  { state, secretBox }: { state: State; secretBox: SecretBox },
  scope: Scope,
  subscriptionId: string,
  at: Date,
): Promise<{ secret: string }> {
  const secret = makeSecret()
  await state
    .as(scope)
    .updateTable('subscription')
    .set((row) => ({
      sealed_secret: sealSecret(secretBox, subscriptionId, secret),
      previous_sealed_secret: row.ref('sealed_secret'),
      previous_until: new Date(at.getTime() + secretOverlapMs),
    }))
    .where('subscription_id', '=', subscriptionId)
    .execute()
  return { secret }
}

/** Sends a test message at once and returns its id. A disabled webhook that accepts it is enabled again. */
export async function sendTest(
  { state, notifications }: { state: State; notifications: Notifications },
  viewer: Viewer,
  test: NewNotification & { subscriptionId: string },
  at: Date,
): Promise<string> {
  const { kind, subscriptionId } = test
  const action = { key: `${kind}:${viewer.userId}`, maxCount: maxTests, windowMs: tenMinutesMs }
  if (!(await tryConsumeRateLimit(state, action, at)))
    throw new Problem('too_many_requests', `At most ${maxTests} tests in ten minutes.`)
  const store = state.as(viewer.scope)
  const { id, outcome } = await notifications.sendTest(store, test, at)
  if (outcome.problem === null)
    await store
      .updateTable('subscription')
      .set({ disabled_time: null })
      .where('subscription_id', '=', subscriptionId)
      .execute()
  return id
}

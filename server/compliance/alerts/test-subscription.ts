import type { Alert } from '#contract/compliance-alerts.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { tryConsumeRateLimit } from '#server/identity/rate-limit.ts'
import type { Notifications } from '#server/notifications/open-notifications.ts'
import type { State } from '#server/stores/state.ts'
import { testKind } from './alert-kinds.ts'
import { findAlert } from './alert-row.ts'
import { findSubscription, type SubscriptionRef } from './find-subscriptions.ts'

export interface AlertMessages {
  state: State
  notifications: Notifications
}

const tenMinutesMs = 10 * 60_000
/** Tests per user within ten minutes: each sends mail or calls another server. */
const maxTests = 10

/** Sends a test at once and returns the result. A disabled webhook that accepts it is enabled again. */
export async function testSubscription(
  { state, notifications }: AlertMessages,
  viewer: Viewer,
  ref: SubscriptionRef,
  at: Date,
): Promise<Alert> {
  const { subscription_id: subscriptionId, region_id: regionId } = await findSubscription(state, viewer, ref)
  if (!(await tryConsumeRateLimit(state, `alert-test:${viewer.userId}`, maxTests, tenMinutesMs, at)))
    throw new Problem('too_many_requests', `At most ${maxTests} tests in ten minutes.`)
  const store = state.as(viewer.scope)
  const { id, outcome } = await notifications.sendTest(
    store,
    { kind: testKind, regionId, userId: viewer.userId, subscriptionId, payload: {} },
    at,
  )
  if (outcome.problem === null)
    await store
      .updateTable('subscription')
      .set({ disabled_time: null })
      .where('subscription_id', '=', subscriptionId)
      .execute()
  return findAlert(state, viewer.scope, subscriptionId, id)
}

/** Sends a logged webhook message again under the same id. */
export async function replayAlert(
  { state, notifications }: AlertMessages,
  viewer: Viewer,
  { alert_id: alertId, ...ref }: SubscriptionRef & { alert_id: string },
  at: Date,
): Promise<Alert> {
  const { channel, subscription_id: subscriptionId } = await findSubscription(state, viewer, ref)
  await findAlert(state, viewer.scope, subscriptionId, alertId)
  if (channel !== 'webhook') throw new Problem('conflict', 'E-mails cannot be resent.')
  await notifications.replay(state.as(viewer.scope), subscriptionId, alertId, at)
  return findAlert(state, viewer.scope, subscriptionId, alertId)
}

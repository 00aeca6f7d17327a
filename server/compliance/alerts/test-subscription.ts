import type { Alert } from '#contract/compliance-alerts.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Notifications } from '#server/notifications/open-notifications.ts'
import { sendTest } from '#server/notifications/subscriptions.ts'
import type { State } from '#server/stores/state.ts'
import { testKind } from './alert-kinds.ts'
import { findAlert } from './alert-row.ts'
import { findSubscription, type SubscriptionRef } from './find-subscriptions.ts'

export interface AlertServices {
  state: State
  notifications: Notifications
}

/** Sends a test message immediately and returns it as an alert, with the outcome of its delivery. */
export async function testSubscription(
  services: AlertServices,
  viewer: Viewer,
  ref: SubscriptionRef,
  at: Date,
): Promise<Alert> {
  const { state } = services
  const { subscription_id: subscriptionId, region_id: regionId } = await findSubscription(state, viewer, ref)
  const test = { kind: testKind, regionId, userId: viewer.userId, subscriptionId, payload: {} }
  return findAlert(state, viewer.scope, subscriptionId, await sendTest(services, viewer, test, at))
}

/** Sends a logged webhook message again under the same id. */
export async function replayAlert(
  { state, notifications }: AlertServices,
  viewer: Viewer,
  { alert_id: alertId, ...ref }: SubscriptionRef & { alert_id: string },
  at: Date,
): Promise<Alert> {
  const { channel, subscription_id: subscriptionId } = await findSubscription(state, viewer, ref)
  // Throws if the subscription has no such alert.
  await findAlert(state, viewer.scope, subscriptionId, alertId)
  if (channel !== 'webhook') throw new Problem('conflict', 'E-mails cannot be resent.')
  await notifications.replay(state.as(viewer.scope), subscriptionId, alertId, at)
  return findAlert(state, viewer.scope, subscriptionId, alertId)
}

import type { Alert } from '#contract/compliance-alerts.ts'
import { type Delivery, findDelivery, listNewestDeliveries } from '#server/notifications/deliveries.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

const toAlert = (subscription_id: string, { id, isTest, title, itemCount, status }: Delivery): Alert => ({
  alert_id: id,
  subscription_id,
  is_test: isTest,
  policy_name: title,
  records: itemCount,
  ...status,
})

/** Finds the newest messages of a subscription. */
export const findNewestAlerts = async (
  state: State,
  scope: Scope,
  subscriptionId: string,
  maxCount: number,
): Promise<Alert[]> =>
  (await listNewestDeliveries(state, scope, subscriptionId, maxCount)).map((delivery) =>
    toAlert(subscriptionId, delivery),
  )

/** Finds one message of a subscription. @throws Problem if there is none with this id. */
export const findAlert = async (
  state: State,
  scope: Scope,
  subscriptionId: string,
  alertId: string,
): Promise<Alert> => toAlert(subscriptionId, await findDelivery(state, scope, subscriptionId, alertId))

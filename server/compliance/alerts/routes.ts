import * as contract from '#contract/compliance-alerts.ts'
import { type Route, route } from '#server/http/route.ts'
import { type SubscriptionContext, addSubscription } from './add-subscription.ts'
import { findNewestAlerts } from './alert-row.ts'
import { endSubscription, endSubscriptionByToken, rotateSecret } from './change-subscription.ts'
import { findSubscription, findSubscriptions } from './find-subscriptions.ts'
import { type AlertServices, replayAlert, testSubscription } from './test-subscription.ts'

export const alertRoutes = (alerts: SubscriptionContext & AlertServices): Route[] => {
  const { state } = alerts
  return [
    route(contract.listAlertSubscriptions, ({ viewer, params }) =>
      findSubscriptions(state, viewer, params.region_id),
    ),
    route(contract.addAlertSubscription, (call) => addSubscription(alerts, call)),
    route(contract.endAlertSubscription, ({ viewer, params }) => endSubscription(state, viewer, params)),
    route(contract.rotateAlertSecret, ({ viewer, params, at }) => rotateSecret(alerts, viewer, params, at)),
    route(contract.testAlertSubscription, ({ viewer, params, at }) =>
      testSubscription(alerts, viewer, params, at),
    ),
    route(contract.replayAlert, ({ viewer, params, at }) => replayAlert(alerts, viewer, params, at)),
    route(contract.listAlerts, async ({ viewer, params }) => {
      const { subscription_id: id } = await findSubscription(state, viewer, params)
      return { items: await findNewestAlerts(state, viewer.scope, id, contract.maxListedAlerts) }
    }),
    route(contract.endAlertSubscriptionByToken, ({ body }) => endSubscriptionByToken(state, body.token)),
  ]
}

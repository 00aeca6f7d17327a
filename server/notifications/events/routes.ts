import * as contract from '#contract/webhooks.ts'
import { type Route, route } from '#server/http/route.ts'
import {
  addWebhook,
  changeWebhook,
  listWebhookDeliveries,
  listWebhooks,
  removeWebhook,
  replayWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  type WebhookContext,
} from './manage-webhooks.ts'

export const webhookRoutes = (context: WebhookContext): Route[] => {
  const { state } = context
  return [
    route(contract.listWebhooks, ({ viewer, params }) => listWebhooks(state, viewer, params.region_id)),
    route(contract.addWebhook, (call) => addWebhook(context, call)),
    route(contract.changeWebhook, ({ viewer, params, body }) =>
      changeWebhook(state, viewer, params, body.events),
    ),
    route(contract.removeWebhook, ({ viewer, params }) => removeWebhook(state, viewer, params)),
    route(contract.rotateWebhookSecret, ({ viewer, params, at }) =>
      rotateWebhookSecret(context, viewer, params, at),
    ),
    route(contract.testWebhook, ({ viewer, params, at }) => testWebhook(context, viewer, params, at)),
    route(contract.listWebhookDeliveries, ({ viewer, params }) =>
      listWebhookDeliveries(state, viewer, params),
    ),
    route(contract.replayWebhookDelivery, ({ viewer, params, at }) =>
      replayWebhookDelivery(context, viewer, params, at),
    ),
  ]
}

import { z } from 'zod'
import { deliveryFields, WebhookUrl } from './deliveries.ts'
import { endpoint } from './endpoint.ts'

/** Events that a webhook can receive, with the fields of `data` in their messages besides `region_id`. */
export const webhookEvents = {
  'policy.published': 'policy_id, constant_policy_id, name, start_date, end_date',
  'policy.expired': 'policy_id, constant_policy_id, name, end_date',
  'geography.published': 'geography_ids, policy_id',
  'compliance.violation': 'policy_id, constant_policy_id, operators, first_day, last_day, violations',
  'invoice.issued': 'invoice_id, number, operator, due_date',
  'invoice.disputed': 'invoice_id, number, operator, line, dispute_id',
  'invoice.paid': 'invoice_id, number, operator',
  'feed.down': 'feed_id, operator, incident_id, rule',
  'feed.recovered': 'feed_id, operator, incident_id, rule',
  'export.ready': 'export_id, table',
  'curb.price_change.approved': 'proposal_id, effective_date',
  'backup.failed': 'job',
} as const
export type WebhookEvent = keyof typeof webhookEvents
export const webhookEventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]]

/** A message of a webhook, without its content. Times are ISO 8601. */
export const WebhookDelivery = z
  .object({
    delivery_id: z.uuid(),
    /** The `type` of the message; `webhook.test` for a test. */
    event: z.string(),
    ...deliveryFields,
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const Webhook = z
  .object({
    webhook_id: z.uuid(),
    region_id: z.string(),
    url: z.string(),
    events: z.array(z.enum(webhookEventNames)),
    /** The user who created it. Messages contain only what this user may see. */
    owner_email: z.string(),
    created_time: z.string(),
    /** When the webhook was turned off because it returned 410. A successful test turns it on again. */
    disabled_time: z.string().nullable(),
    last: WebhookDelivery.nullable(),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

const Events = z.array(z.enum(webhookEventNames)).min(1).max(webhookEventNames.length)
/** Maximum number of webhooks per region. */
export const maxWebhooks = 50
/** Maximum number of listed messages per webhook, newest first. */
export const maxListedDeliveries = 50

const regionParams = z.object({ region_id: z.string() })
const webhookParams = regionParams.extend({ webhook_id: z.uuid() })
const listPath = '/regions/{region_id}/webhooks' as const
const webhookPath = `${listPath}/{webhook_id}` as const

export const listWebhooks = endpoint({
  route: `GET ${listPath}`,
  permission: 'is_admin',
  summary: 'Webhooks of a region, with their events and newest message',
  request: { params: regionParams },
  response: z.object({ items: z.array(Webhook) }),
})
export const addWebhook = endpoint({
  route: `POST ${listPath}`,
  prefixes: ['/v2'],
  permission: 'is_admin',
  summary: 'Add a webhook for events of a region; its secret is shown only once',
  request: { params: regionParams, body: z.object({ url: WebhookUrl, events: Events }) },
  response: z.object({ webhook: Webhook, secret: z.string() }),
})
export const changeWebhook = endpoint({
  route: `PATCH ${webhookPath}`,
  permission: 'is_admin',
  summary: 'Change the events of a webhook',
  request: { params: webhookParams, body: z.object({ events: Events }) },
  response: Webhook,
})
export const removeWebhook = endpoint({
  route: `DELETE ${webhookPath}`,
  permission: 'is_admin',
  summary: 'Remove a webhook; messages that wait are not sent',
  request: { params: webhookParams },
  response: z.object({ removed: z.boolean() }),
})
/** For 24 hours, messages are signed with both the previous and the new secret. */
export const rotateWebhookSecret = endpoint({
  route: `POST ${webhookPath}/secret`,
  permission: 'is_admin',
  summary: 'Replace the secret of a webhook; the new one is shown only once',
  request: { params: webhookParams },
  response: z.object({ secret: z.string() }),
})
export const testWebhook = endpoint({
  route: `POST ${webhookPath}/test`,
  permission: 'is_admin',
  summary: 'Send one test message now',
  request: { params: webhookParams },
  response: WebhookDelivery,
})
export const listWebhookDeliveries = endpoint({
  route: `GET ${webhookPath}/deliveries`,
  permission: 'is_admin',
  summary: 'The last messages of a webhook and their state, newest first',
  request: { params: webhookParams },
  response: z.object({ items: z.array(WebhookDelivery) }),
})
export const replayWebhookDelivery = endpoint({
  route: `POST ${webhookPath}/deliveries/{delivery_id}/replay`,
  permission: 'is_admin',
  summary: 'Send a message of a webhook again, under the same id',
  request: { params: webhookParams.extend({ delivery_id: z.uuid() }) },
  response: WebhookDelivery,
})

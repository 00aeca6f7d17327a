import { z } from 'zod'
import { deliveryFields, WebhookUrl } from './deliveries.ts'
import { endpoint } from './endpoint.ts'
import { Cadence } from './incidents.ts'
import { operatorSlug } from './operators.ts'
import { LocalDay } from './period.ts'

/** How alerts about new violations are sent. Webhooks are called at once. */
export const alertChannels = ['email', 'webhook'] as const
export const AlertChannel = z.enum(alertChannels)
export type AlertChannel = z.infer<typeof AlertChannel>

/** One message of a subscription, about violations or as a test by its owner. Times are ISO 8601. */
export const Alert = z
  .object({
    alert_id: z.uuid(),
    subscription_id: z.uuid(),
    is_test: z.boolean(),
    /** Null for a test. */
    policy_name: z.string().nullable(),
    /** Number of compliance records in the message. */
    records: z.number().int(),
    ...deliveryFields,
  })
  .meta({ id: 'Alert' })
export type Alert = z.infer<typeof Alert>

/** A subscription to violations found on `first_day` or later. */
export const AlertSubscription = z
  .object({
    subscription_id: z.uuid(),
    region_id: z.string(),
    /** Null: every published policy of the region. */
    constant_policy_uuid: z.uuid().nullable(),
    policy_name: z.string().nullable(),
    /** Null: every operator that the owner may see. */
    operator: z.string().nullable(),
    channel: AlertChannel,
    cadence: Cadence,
    /** Set for a webhook. */
    url: z.string().nullable(),
    first_day: LocalDay,
    created_time: z.string(),
    /** When the webhook was turned off because it returned 410. A successful test turns it on again. */
    disabled_time: z.string().nullable(),
    /** The newest message; null if there is none yet. */
    last: Alert.nullable(),
  })
  .meta({ id: 'AlertSubscription' })
export type AlertSubscription = z.infer<typeof AlertSubscription>

const target = {
  constant_policy_uuid: z.uuid().nullable().default(null),
  operator: operatorSlug.nullable().default(null),
}

/** A new subscription. */
export const NewAlertSubscription = z.discriminatedUnion('channel', [
  z.object({ ...target, channel: z.literal('email'), cadence: Cadence.default('immediate') }),
  z.object({ ...target, channel: z.literal('webhook'), url: WebhookUrl }),
])
export type NewAlertSubscription = z.infer<typeof NewAlertSubscription>

/** Maximum number of subscriptions per user and region. */
export const maxAlertSubscriptions = 50
/** Maximum number of messages listed per subscription, newest first. */
export const maxListedAlerts = 30

const regionParams = z.object({ region_id: z.string() })
const subscriptionParams = regionParams.extend({ subscription_id: z.uuid() })
const listPath = '/regions/{region_id}/compliance/subscriptions' as const
const subscriptionPath = `${listPath}/{subscription_id}` as const

export const listAlertSubscriptions = endpoint({
  route: `GET ${listPath}`,
  permission: 'signed_in',
  summary: 'Alert subscriptions of the user in a region',
  request: { params: regionParams },
  response: z.object({ items: z.array(AlertSubscription) }),
})
/** `secret` signs webhook requests and is returned once. A second email subscription changes the cadence. */
export const addAlertSubscription = endpoint({
  route: `POST ${listPath}`,
  prefixes: ['/v2'],
  permission: 'signed_in',
  changesOwnData: true,
  summary:
    'Subscribe to new violations of one policy or of all policies of a region, by e-mail or signed webhook',
  request: { params: regionParams, body: NewAlertSubscription },
  response: z.object({ subscription: AlertSubscription, secret: z.string().nullable() }),
})
export const endAlertSubscription = endpoint({
  route: `DELETE ${subscriptionPath}`,
  permission: 'signed_in',
  changesOwnData: true,
  summary: 'End a subscription',
  request: { params: subscriptionParams },
  response: z.object({ ended: z.boolean() }),
})
/** For 24 hours, messages are signed with both the previous and the new secret. */
export const rotateAlertSecret = endpoint({
  route: `POST ${subscriptionPath}/secret`,
  permission: 'signed_in',
  changesOwnData: true,
  summary: 'Replace the secret of a webhook; the new one is shown only once',
  request: { params: subscriptionParams },
  response: z.object({ secret: z.string() }),
})
export const testAlertSubscription = endpoint({
  route: `POST ${subscriptionPath}/test`,
  permission: 'signed_in',
  changesOwnData: true,
  summary: 'Send one test message now',
  request: { params: subscriptionParams },
  response: Alert,
})
export const listAlerts = endpoint({
  route: `GET ${subscriptionPath}/alerts`,
  permission: 'signed_in',
  summary: 'The last messages of a subscription and their state, newest first',
  request: { params: subscriptionParams },
  response: z.object({ items: z.array(Alert) }),
})
export const replayAlert = endpoint({
  route: `POST ${subscriptionPath}/alerts/{alert_id}/replay`,
  permission: 'signed_in',
  changesOwnData: true,
  summary: 'Send a message of a webhook again, under the same id',
  request: { params: subscriptionParams.extend({ alert_id: z.uuid() }) },
  response: Alert,
})
export const endAlertSubscriptionByToken = endpoint({
  route: 'POST /alert_subscriptions/unsubscribe',
  permission: 'public',
  summary: 'End a subscription to violations with the token from the link in its e-mails',
  request: { body: z.object({ token: z.uuid() }) },
  response: z.object({ ended: z.boolean() }),
})

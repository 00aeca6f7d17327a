import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Cadence } from './incidents.ts'
import { operatorSlug } from './operators.ts'
import { LocalDay } from './period.ts'

/** How somebody is told of new violations. A webhook is told at once. */
export const alertChannels = ['email', 'webhook'] as const
export const AlertChannel = z.enum(alertChannels)
export type AlertChannel = z.infer<typeof AlertChannel>

/** `waiting`: for its time, or to be tried again at `next_time`. `sending`: under way. `failed`: given up. */
export const alertStates = ['waiting', 'sending', 'done', 'failed'] as const
export const AlertState = z.enum(alertStates)
export type AlertState = z.infer<typeof AlertState>

/** One message of a subscription: of violations, or a test that its owner asked for. Times ISO 8601. */
export const Alert = z
  .object({
    alert_id: z.uuid(),
    subscription_id: z.uuid(),
    is_test: z.boolean(),
    /** Null: of a test. */
    policy_name: z.string().nullable(),
    /** Records of compliance that it tells. */
    records: z.number().int(),
    created_time: z.string(),
    state: AlertState,
    tries: z.number().int(),
    next_time: z.string().nullable(),
    done_time: z.string().nullable(),
    /** What the webhook answered last; null: nothing, or a mail. */
    http_status: z.number().int().nullable(),
    /** Why the last try failed. */
    problem: z.string().nullable(),
  })
  .meta({ id: 'Alert' })
export type Alert = z.infer<typeof Alert>

/** What its owner is told of: violations found on `first_day` and later. */
export const AlertSubscription = z
  .object({
    subscription_id: z.uuid(),
    region_id: z.string(),
    /** Null: every policy of the region that is published. */
    constant_policy_uuid: z.uuid().nullable(),
    policy_name: z.string().nullable(),
    /** Null: all of them that the owner may see. */
    operator: z.string().nullable(),
    channel: AlertChannel,
    cadence: Cadence,
    /** Of a webhook. */
    url: z.string().nullable(),
    first_day: LocalDay,
    created_time: z.string(),
    /** The newest message; null: none yet. */
    last: Alert.nullable(),
  })
  .meta({ id: 'AlertSubscription' })
export type AlertSubscription = z.infer<typeof AlertSubscription>

const target = {
  constant_policy_uuid: z.uuid().nullable().default(null),
  operator: operatorSlug.nullable().default(null),
}

/** Somebody's wish to be told. */
export const NewAlertSubscription = z.discriminatedUnion('channel', [
  z.object({ ...target, channel: z.literal('email'), cadence: Cadence.default('immediate') }),
  z.object({
    ...target,
    channel: z.literal('webhook'),
    url: z.url({ protocol: /^https?$/, error: 'A webhook begins with https://' }).max(1000),
  }),
])
export type NewAlertSubscription = z.infer<typeof NewAlertSubscription>

/** Subscriptions of one user in a region, at most. */
export const maxAlertSubscriptions = 50
/** Messages of a subscription that are listed: the newest. */
export const maxListedAlerts = 30

const inRegion = z.object({ region_id: z.string() })
const one = inRegion.extend({ subscription_id: z.uuid() })
const all = '/regions/{region_id}/compliance/subscriptions' as const
const path = `${all}/{subscription_id}` as const

export const listAlertSubscriptions = endpoint({
  method: 'GET',
  path: all,
  permission: 'signed_in',
  summary: 'What the user is told of new violations in a region',
  ask: { params: inRegion },
  answer: z.object({ items: z.array(AlertSubscription) }),
})
/** `secret` signs what a webhook is sent; it is shown this once. The same wish by mail changes its cadence; the same webhook twice is a 409. */
export const addAlertSubscription = endpoint({
  method: 'POST',
  prefixes: ['/v2'],
  path: all,
  permission: 'signed_in',
  own: true,
  summary: 'Be told of new violations of a policy, or of all of a region, by mail or by a signed webhook',
  ask: { params: inRegion, body: NewAlertSubscription },
  answer: z.object({ subscription: AlertSubscription, secret: z.string().nullable() }),
})
export const endAlertSubscription = endpoint({
  method: 'DELETE',
  path,
  permission: 'signed_in',
  own: true,
  summary: 'Be told no more',
  ask: { params: one },
  answer: z.object({ ended: z.boolean() }),
})
/** The former secret signs nothing from then on. */
export const rotateAlertSecret = endpoint({
  method: 'POST',
  path: `${path}/secret`,
  permission: 'signed_in',
  own: true,
  summary: 'Give a webhook a new secret, which is shown this once',
  ask: { params: one },
  answer: z.object({ secret: z.string() }),
})
export const testAlertSubscription = endpoint({
  method: 'POST',
  path: `${path}/test`,
  permission: 'signed_in',
  own: true,
  summary: 'Send a test message, once and now',
  ask: { params: one },
  answer: Alert,
})
export const listAlerts = endpoint({
  method: 'GET',
  path: `${path}/alerts`,
  permission: 'signed_in',
  summary: 'The last messages of a subscription and what became of them, the newest first',
  ask: { params: one },
  answer: z.object({ items: z.array(Alert) }),
})
export const endAlertSubscriptionByToken = endpoint({
  method: 'POST',
  path: '/alert_subscriptions/unsubscribe',
  permission: 'public',
  summary: 'End a subscription to violations by the token of the link in its mails',
  ask: { body: z.object({ token: z.uuid() }) },
  answer: z.object({ ended: z.boolean() }),
})

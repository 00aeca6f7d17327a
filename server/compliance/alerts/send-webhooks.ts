import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { findRecipient, canReceive } from './recipient'
import type { ReportedRecord } from './find-new-violations'
import { postWebhook } from './post-webhook.ts'
import { claimTimeoutMs, noAccessProblem, type DeliveryOutcome, recordDelivery } from './record-delivery'
import { openSecret } from './sign.ts'
import type { AlertPolicy } from './enqueue-alerts'

export interface SendingWebhooks {
  state: State
  fetch: GuardedFetch
  box: SecretBox
  log: Log
  now: () => Date
}

/** Receivers that are sent to side by side: one that does not answer keeps a place for ten seconds. */
const maxConcurrentReceivers = 8
/** Messages that are taken up in one go. */
const maxMessages = 500

interface Due {
  alert_id: string
  subscription_id: string
  region_id: string
  organization_id: string
  user_id: string
  url: string | null
  sealed_secret: string | null
}

const findDue = (state: State, at: Date): Promise<Due[]> =>
  state
    .as(systemScope)
    .selectFrom('alert')
    .innerJoin('alert_subscription', 'alert_subscription.subscription_id', 'alert.subscription_id')
    .innerJoin('region', 'region.region_id', 'alert.region_id')
    .select([
      'alert.alert_id',
      'alert.subscription_id',
      'alert.region_id',
      'region.organization_id',
      'alert_subscription.user_id',
      'alert_subscription.url',
      'alert_subscription.sealed_secret',
    ])
    .where('alert_subscription.channel', '=', 'webhook')
    .where('alert.is_test', '=', false)
    // One whose sender was stopped is sent again, under the same id.
    .where((row) =>
      row.or([
        row.and([row('alert.state', '=', 'waiting'), row('alert.next_time', '<=', at)]),
        row.and([
          row('alert.state', '=', 'sending'),
          row('alert.claimed_time', '<', new Date(at.getTime() - claimTimeoutMs)),
        ]),
      ]),
    )
    .orderBy('alert.created_time')
    .orderBy('alert.alert_id')
    .limit(maxMessages)
    .execute()

/** Takes a message; undefined: somebody else has, or its subscription is over. */
function claimAlert(state: State, due: Due, at: Date) {
  return state
    .as(regionScope(due.organization_id, due.region_id))
    .updateTable('alert')
    .set((row) => ({ state: 'sending', claimed_time: at, tries: row('tries', '+', 1) }))
    .where('alert_id', '=', due.alert_id)
    .where((row) =>
      row.or([
        row('state', '=', 'waiting'),
        row('claimed_time', '<', new Date(at.getTime() - claimTimeoutMs)),
      ]),
    )
    .returning(['tries', 'created_time', 'policy', 'records'])
    .executeTakeFirst()
}

async function attempt(
  { state, fetch, box, now }: SendingWebhooks,
  due: Due,
  taken: NonNullable<Awaited<ReturnType<typeof claimAlert>>>,
): Promise<DeliveryOutcome> {
  const recipient = await findRecipient(state, due.user_id, due.region_id)
  const records = recipient
    ? (taken.records as ReportedRecord[]).filter(({ operator }) => canReceive(recipient, operator))
    : []
  if (!records.length || due.url === null || due.sealed_secret === null)
    return { problem: noAccessProblem, status: null, isFinal: true }
  let secret: string
  try {
    secret = openSecret(box, due.subscription_id, due.sealed_secret)
  } catch {
    return {
      problem: 'The stored secret cannot be opened with the present key. Give the webhook a new one.',
      status: null,
    }
  }
  const message = {
    id: due.alert_id,
    type: 'compliance.violations' as const,
    created: taken.created_time.toISOString(),
    region_id: due.region_id,
    policy: taken.policy as AlertPolicy,
    records,
  }
  return postWebhook(fetch, { url: due.url, secret }, message, now())
}

/** The messages of one receiver, the oldest first; after one that did not arrive the others wait for the next look. */
async function sendTo(sending: SendingWebhooks, all: readonly Due[], signal: AbortSignal): Promise<void> {
  const { state, log, now } = sending
  for (const due of all) {
    if (signal.aborted) return
    const taken = await claimAlert(state, due, now())
    if (!taken) continue
    const outcome = await attempt(sending, due, taken)
    await recordDelivery(
      state.as(regionScope(due.organization_id, due.region_id)),
      [due.alert_id],
      outcome,
      taken.tries,
      now(),
    )
    if (outcome.problem === null) continue
    log('alert webhook', {
      subscription: due.subscription_id,
      alert: due.alert_id,
      tries: taken.tries,
      status: outcome.status,
    })
    if (!outcome.isFinal) return
  }
}

/** Sends what is due to every webhook. */
export async function sendWebhooks(sending: SendingWebhooks, signal: AbortSignal): Promise<void> {
  const receivers = new Map<string, Due[]>()
  for (const due of await findDue(sending.state, sending.now()))
    receivers.set(due.subscription_id, [...(receivers.get(due.subscription_id) ?? []), due])
  const waiting = [...receivers.values()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift())
      await sendTo(sending, next, signal)
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrentReceivers, waiting.length) }, work))
}

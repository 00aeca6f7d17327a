import { localDay } from '#contract/period.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Mail } from '#server/mail/message.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { webhookDelivered, webhookFailed } from '#server/metrics/server-metrics.ts'
import type { ComposedMail, MessageContext, NotificationKind } from './notification.ts'
import {
  type ClaimedMessage,
  claimMessages,
  disableWebhook,
  getGroupStore,
  type MessageGroup,
  recordOutcome,
} from './notification-store.ts'
import { findRecipient } from './recipient.ts'
import { getNextAttempt } from './retry-delays.ts'
import { type DeliveryOutcome, openSecret, postWebhook } from './webhook.ts'

export interface DeliveryContext {
  state: State
  mail: Mail
  fetch: GuardedFetch
  secretBox: SecretBox
  publicUrl: string
  log: Log
  now: () => Date
  findKind: (name: string) => NotificationKind | undefined
}

/** Maximum number of concurrent webhook calls. An unresponsive receiver occupies one for ten seconds. */
const maxConcurrentWebhooks = 8

const nothingToSend: DeliveryOutcome = {
  problem: 'The recipient no longer has access, or there is nothing left to send.',
  status: null,
  isFinal: true,
}

/** Finds the recipient and region of a group; null if the recipient has lost access. */
async function findContext(
  { state, publicUrl }: DeliveryContext,
  group: MessageGroup,
): Promise<MessageContext | null> {
  const recipient = await findRecipient(state, group.user_id, group.region_id)
  return (
    recipient && {
      recipient,
      organizationId: group.organization_id,
      region: { regionId: group.region_id, text: group.text, timezone: group.timezone },
      publicUrl,
      token: group.token,
      isDigest: group.cadence === 'daily',
    }
  )
}

/** Composes and sends messages of a group: one mail or webhook message. Reports failures in the outcome. */
export async function attemptDelivery(
  delivery: DeliveryContext,
  group: MessageGroup,
  messages: readonly ClaimedMessage[],
): Promise<DeliveryOutcome> {
  const kind = delivery.findKind(group.kind)
  const context = await findContext(delivery, group)
  if (!kind || !context) return nothingToSend
  if (group.channel === 'webhook')
    return sendWebhook(delivery, { kind, context, group, message: messages[0] })
  let content: ComposedMail | null
  try {
    content = await kind.composeMail(
      messages.map(({ payload }) => payload),
      context,
    )
  } catch (error) {
    delivery.log('notification could not be composed', { kind: kind.name, error: getErrorMessage(error) })
    return { problem: 'The mail could not be written.', status: null }
  }
  if (!content) return nothingToSend
  try {
    await delivery.mail.send({ to: context.recipient.email, ...content })
    return { problem: null, status: null }
  } catch {
    return { problem: 'The mail server did not accept it.', status: null }
  }
}

interface WebhookMessage {
  kind: NotificationKind
  context: MessageContext
  group: MessageGroup
  message: ClaimedMessage | undefined
}

/** Sends a message to a webhook, signed with its secret and, for a day after a change, the previous one. */
async function sendWebhook(
  { fetch, secretBox, now }: DeliveryContext,
  { kind, context, group, message }: WebhookMessage,
): Promise<DeliveryOutcome> {
  const { subscription_id: subscriptionId, url, sealed_secret: sealedSecret } = group
  const data = message && kind.composeData?.(message.payload, context)
  if (!message || !data || !subscriptionId || !url || !sealedSecret) return nothingToSend
  const at = now()
  const hasPreviousSecret = group.previous_until !== null && group.previous_until > at
  let secrets: string[]
  try {
    secrets = [
      sealedSecret,
      ...(hasPreviousSecret && group.previous_sealed_secret ? [group.previous_sealed_secret] : []),
    ].map((secret) => openSecret(secretBox, subscriptionId, secret))
  } catch {
    return {
      problem: 'The stored secret cannot be opened with the current key. Rotate the secret of the webhook.',
      status: null,
    }
  }
  return postWebhook(
    fetch,
    { url, secrets },
    { id: message.notification_id, type: kind.name, created: message.created_time, data },
    at,
  )
}

function logFailure(
  { log }: DeliveryContext,
  group: MessageGroup,
  messageCount: number,
  outcome: DeliveryOutcome,
): void {
  if (outcome.problem !== null)
    log('notification', {
      kind: group.kind,
      channel: group.channel ?? 'email',
      subscription: group.subscription_id,
      messages: messageCount,
      status: outcome.status,
      isFinal: outcome.isFinal === true,
    })
}

/**
 * Sends the due messages of a group in one mail, or in one mail each if their kind is separate. Messages are
 * claimed before they are sent, so that nobody receives a mail twice if the process is interrupted. A mail
 * that the server did not accept is retried later.
 */
async function deliverMail(delivery: DeliveryContext, group: MessageGroup, stop: AbortSignal): Promise<void> {
  if (!delivery.findKind(group.kind)?.isSeparate) {
    await deliverOneMail(delivery, group, null)
    return
  }
  while (!stop.aborted && (await deliverOneMail(delivery, group, 1)));
}

/** Sends one mail with at most `limit` messages (null for all). Returns whether there were any. */
async function deliverOneMail(
  delivery: DeliveryContext,
  group: MessageGroup,
  limit: number | null,
): Promise<boolean> {
  const { state, now, findKind } = delivery
  const store = getGroupStore(state, group)
  const at = now()
  const messages = await claimMessages(store, group, at, limit)
  if (!messages.length) return false
  const outcome = await attemptDelivery(delivery, group, messages)
  await recordOutcome(store, messages, outcome, now())
  logFailure(delivery, group, messages.length, outcome)
  const { problem, isFinal = false } = outcome
  await findKind(group.kind)?.afterAttempt?.(
    messages.map(({ payload }) => payload),
    {
      problem,
      isGivenUp:
        problem !== null && (isFinal || messages.every(({ tries }) => getNextAttempt(tries, at) === null)),
    },
    now(),
  )
  if (outcome.problem === null && group.cadence === 'daily')
    await store
      .updateTable('subscription')
      .set({ digest_day: localDay(at, group.timezone) })
      .where('subscription_id', '=', group.subscription_id)
      .execute()
  return true
}

/** Sends the due messages of a webhook, oldest first. Stops at one that must be retried, to retain the order. */
async function deliverWebhook(
  delivery: DeliveryContext,
  group: MessageGroup,
  stop: AbortSignal,
): Promise<void> {
  const { state, now } = delivery
  const store = getGroupStore(state, group)
  while (!stop.aborted) {
    const [message] = await claimMessages(store, group, now(), 1)
    if (!message) return
    const outcome = await attemptDelivery(delivery, group, [message])
    const counter = outcome.problem === null ? webhookDelivered : webhookFailed
    counter.inc()
    await recordOutcome(store, [message], outcome, now())
    logFailure(delivery, group, 1, outcome)
    if (outcome.isGone && group.subscription_id)
      await disableWebhook(store, group.subscription_id, outcome.problem ?? '', now())
    if (outcome.problem !== null && (outcome.isGone || !outcome.isFinal)) return
  }
}

/** Sends due messages: mails one after the other, and at the same time webhooks, several at once. */
export async function deliverGroups(
  delivery: DeliveryContext,
  groups: readonly MessageGroup[],
  stop: AbortSignal,
): Promise<void> {
  const webhooks = groups.filter(({ channel }) => channel === 'webhook')
  const mails = groups.filter(({ channel }) => channel !== 'webhook')
  const sendMails = async (): Promise<void> => {
    for (const group of mails) {
      if (stop.aborted) return
      await deliverMail(delivery, group, stop)
    }
  }
  const callWebhooks = async (): Promise<void> => {
    for (let group = webhooks.shift(); group && !stop.aborted; group = webhooks.shift())
      await deliverWebhook(delivery, group, stop)
  }
  await Promise.all([
    sendMails(),
    ...Array.from({ length: Math.min(maxConcurrentWebhooks, webhooks.length) }, callWebhooks),
  ])
}

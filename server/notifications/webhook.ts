import { createHmac, randomBytes } from 'node:crypto'
import { FetchRefused, type GuardedFetch } from '#server/http/guarded-fetch.ts'
import { Problem } from '#server/http/problem.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'

const secretPrefix = 'whsec_'
const secretBytes = 32
/** After a secret was replaced, messages are signed with both for this time, so that receivers can change over. */
export const secretOverlapMs = 24 * 3_600_000
const timeoutMs = 10_000

/** Binds a sealed secret to its subscription: it cannot be opened for another one. */
const purposeOf = (subscriptionId: string): string => `webhook ${subscriptionId}`

export const newSecret = (): string => `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`
export const sealSecret = (box: SecretBox, subscriptionId: string, secret: string): string =>
  box.seal(purposeOf(subscriptionId), secret)
export const openSecret = (box: SecretBox, subscriptionId: string, sealed: string): string =>
  box.open(purposeOf(subscriptionId), sealed)

/** A message as a webhook receives it; each attempt is the same except for its time and signatures. */
export interface WebhookMessage {
  /** Receivers recognize a repeated message by it. */
  id: string
  type: string
  created: Date
  data: object
}

/** The result of an attempt. */
export interface DeliveryOutcome {
  /** Null if it arrived. */
  problem: string | null
  status: number | null
  /** Whether further attempts are useless. */
  isFinal?: boolean
  /** Whether the receiver wants no more messages. */
  isGone?: boolean
}

/** HMAC-SHA256 of `id.timestamp.body` under the decoded secret, as `v1,<base64>`. */
const signatureOf = (secret: string, signed: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(signed)
    .digest('base64')}`

/** Headers of Standard Webhooks 1.0.0: one signature for each valid secret. */
export function webhookHeaders(
  secrets: readonly string[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => signatureOf(secret, `${id}.${seconds}.${body}`)).join(' '),
  }
}

/** A failure as the owner may see it: neither the address, which may contain a token, nor the response. */
function describeFailure(error: unknown): string {
  if (error instanceof FetchRefused)
    return (
      {
        address: 'The address leads to one that is not public; it was not called.',
        protocol: 'The address must begin with https://.',
        time: 'No response within 10 seconds.',
        redirect: '',
        size: '',
        encoding: '',
      }[error.code] || 'The response could not be read.'
    )
  const code = (error as NodeJS.ErrnoException | null)?.code
  return `The address could not be reached${code ? ` (${code})` : ''}.`
}

/** The status by which a receiver ends the subscription. */
const goneStatus = 410

function outcomeOf(status: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return { problem: null, status }
  if (status >= 300 && status < 400)
    return { problem: `It leads to another address (${status}); that is not followed.`, status }
  if (status === goneStatus)
    return {
      problem: 'It answered 410: it wants no more messages and is disabled.',
      status,
      isFinal: true,
      isGone: true,
    }
  return { problem: `It answered ${status}.`, status }
}

/** Sends one message. 2xx means that it arrived; redirects are not followed. */
export async function postWebhook(
  fetch: GuardedFetch,
  { url, secrets }: { url: string; secrets: readonly string[] },
  { id, type, created, data }: WebhookMessage,
  at: Date,
): Promise<DeliveryOutcome> {
  const body = JSON.stringify({ type, timestamp: created.toISOString(), data })
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Publicway',
        ...webhookHeaders(secrets, id, at, body),
      },
      body,
      timeoutMs,
      redirects: 0,
      statusOnly: true,
    })
    return outcomeOf(status)
  } catch (error) {
    return { problem: describeFailure(error), status: null }
  }
}

/** Throws if an address must not be called. */
export type CheckAddress = (url: string) => Promise<void>

/** Throws a validation error if a webhook must not have the address. */
export async function checkWebhookUrl(checkAddress: CheckAddress, url: string): Promise<void> {
  try {
    await checkAddress(url)
  } catch (error) {
    throw new Problem(
      'validation_error',
      `url: ${error instanceof FetchRefused ? error.message : 'There is no server of this name.'}`,
    )
  }
}

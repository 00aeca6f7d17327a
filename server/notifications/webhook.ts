import { createHmac, randomBytes } from 'node:crypto'
import { dayMs } from '#contract/period.ts'
import { FetchRefused, type GuardedFetch } from '#server/http/guarded-fetch.ts'
import { Problem } from '#server/http/problem.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'

const secretPrefix = 'whsec_'
const secretBytes = 32
/** After a secret is replaced, messages are signed with both for this time, so that receivers can switch over. */
export const secretOverlapMs = dayMs
const timeoutMs = 10_000

/** Returns a purpose that binds a sealed secret to its subscription: it cannot be opened for another one. */
const getSealPurpose = (subscriptionId: string): string => `webhook ${subscriptionId}`

export const makeSecret = (): string => `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`
export const sealSecret = (secretBox: SecretBox, subscriptionId: string, secret: string): string =>
  secretBox.seal(getSealPurpose(subscriptionId), secret)
export const openSecret = (secretBox: SecretBox, subscriptionId: string, sealed: string): string =>
  secretBox.open(getSealPurpose(subscriptionId), sealed)

/** A message to a webhook. All attempts are equal except for their time and signatures. */
export interface WebhookMessage {
  /** Receivers detect repeated messages by this id. */
  id: string
  type: string
  created: Date
  data: object
}

/** The result of an attempt to deliver a message. */
export interface DeliveryOutcome {
  /** Null if it arrived. */
  problem: string | null
  /** The HTTP status of a webhook's response; null without one. */
  status: number | null
  /** Whether further attempts are useless. */
  isFinal?: boolean
  /** Whether the receiver refuses further messages. */
  isGone?: boolean
}

/** Returns the HMAC-SHA256 of `id.timestamp.body` under the decoded secret, as `v1,<base64>`. */
const sign = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(content)
    .digest('base64')}`

/** Creates the headers of Standard Webhooks 1.0.0: one signature for each valid secret. */
export function createWebhookHeaders(
  secrets: readonly string[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => sign(secret, `${id}.${seconds}.${body}`)).join(' '),
  }
}

/** Describes a failure to the owner, without the response and the address, which may contain a token. */
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

/** The status with which a receiver ends its subscription. */
const goneStatus = 410

function toOutcome(status: number): DeliveryOutcome {
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

/** Sends one message. A status of 2xx means success; redirects are not followed. */
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
        ...createWebhookHeaders(secrets, id, at, body),
      },
      body,
      timeoutMs,
      redirects: 0,
      statusOnly: true,
    })
    return toOutcome(status)
  } catch (error) {
    return { problem: describeFailure(error), status: null }
  }
}

/** Throws if the server must not call an address. */
export type CheckAddress = (url: string) => Promise<void>

/** Throws a Problem if a webhook must not have the address. */
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

import { FetchRefused, type GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { ReportedRecord } from './find-new-violations'
import type { DeliveryOutcome } from './record-delivery'
import { signatureHeader, signatureOf } from './sign.ts'
import type { AlertPolicy } from './enqueue-alerts'

/** A message as a webhook gets it; each try of it is the same but for the time in its signature. */
export interface WebhookMessage {
  /** By it a receiver knows a message that comes again. */
  id: string
  type: 'compliance.violations' | 'compliance.test'
  /** ISO 8601. */
  created: string
  region_id: string
  policy: AlertPolicy | null
  records: readonly ReportedRecord[]
}

const timeoutMs = 10_000

/** Of what went wrong, as much as its owner may read: neither the address, which may hold a token, nor what the other server said. */
function wordsOf(error: unknown): string {
  if (error instanceof FetchRefused)
    return (
      {
        address: 'The address leads to one that is not public; it was not asked.',
        protocol: 'The address must begin with https://.',
        time: 'No answer within 10 seconds.',
        redirect: '',
        size: '',
        encoding: '',
      }[error.code] || 'The answer could not be read.'
    )
  const code = (error as NodeJS.ErrnoException | null)?.code
  return `The address could not be reached${code ? ` (${code})` : ''}.`
}

/** Sends one message. 2xx means that it arrived; redirects are not followed. */
export async function postWebhook(
  fetch: GuardedFetch,
  { url, secret }: { url: string; secret: string },
  message: WebhookMessage,
  at: Date,
): Promise<DeliveryOutcome> {
  const body = JSON.stringify(message)
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Publicway',
        [signatureHeader]: signatureOf(secret, at, body),
      },
      body,
      timeoutMs,
      redirects: 0,
      statusOnly: true,
    })
    if (status >= 200 && status < 300) return { problem: null, status }
    return {
      problem:
        status >= 300 && status < 400
          ? `It leads to another address (${status}); that is not followed.`
          : `It answered ${status}.`,
      status,
    }
  } catch (error) {
    return { problem: wordsOf(error), status: null }
  }
}

import type { Config } from '#server/config.ts'
import type { Log } from '#server/jobs/log.ts'
import { redactSecrets, type SentMessages, type Sms } from './message.ts'

const responseTimeoutMs = 10_000

/** Splits SMS_URL into the URL of the request, the credentials and the sender's number. */
function readUrl(smsUrl: string): { url: string; authorization: string; from: string } {
  const url = new URL(smsUrl)
  // A plus in a query is decoded as a space, but `from=+1…` means a plus.
  const from = (url.searchParams.get('from') ?? '').trim().replace(/^(?=\d)/, '+')
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  url.searchParams.delete('from')
  return { url: url.href, authorization: `Basic ${Buffer.from(credentials).toString('base64')}`, from }
}

async function post(smsUrl: string, to: string, text: string): Promise<void> {
  const { url, authorization, from } = readUrl(smsUrl)
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams({ To: to, From: from, Body: text }),
    // Credentials must not be sent to another address.
    redirect: 'error',
    signal: AbortSignal.timeout(responseTimeoutMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the service answered ${response.status}`)
}

interface SmsOptions {
  config: Pick<Config, 'smsUrl'>
  log: Log
  /** Collects messages in development; otherwise null. */
  sentMessages: SentMessages | null
  now: () => Date
}

/** Opens text messages by a Twilio-compatible service, SMS_URL. Without it, messages are only logged. */
export function openSms({ config: { smsUrl }, log, sentMessages, now }: SmsOptions): Sms {
  return {
    async send({ to, text }) {
      sentMessages?.add({ to, text, at: now() })
      if (!smsUrl) return log('text message', { to, text })
      // The error may contain the account, token or number, which are removed.
      const failure = await post(smsUrl, to, text).then(
        () => null,
        (error: unknown) => redactSecrets(error, smsUrl).replaceAll(to, '…'),
      )
      if (failure === null) return
      log('text message failed', { error: failure })
      throw new Error(`The text message could not be sent: ${failure}`)
    },
  }
}

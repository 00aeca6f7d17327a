import type { Config } from '#server/config.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Sms } from './message.ts'
import type { SentMessages } from './sent-messages'
import { redactSecrets } from './redact-secrets'

const responseTimeoutMs = 10_000

/** Account, token and sender's number are parts of the setting, none of the address that is asked. */
function readUrl(smsUrl: string): { url: string; authorization: string; from: string } {
  const url = new URL(smsUrl)
  // In a query a plus is a blank; whoever writes from=+1… means the plus.
  const from = (url.searchParams.get('from') ?? '').trim().replace(/^(?=\d)/, '+')
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  url.searchParams.delete('from')
  return { url: url.href, authorization: `Basic ${Buffer.from(pair).toString('base64')}`, from }
}

async function post(smsUrl: string, to: string, text: string): Promise<void> {
  const { url, authorization, from } = readUrl(smsUrl)
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams({ To: to, From: from, Body: text }),
    // Account and token go to the address that was set, nowhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(responseTimeoutMs),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the service answered ${answer.status}`)
}

/** Text messages by SMS_URL, as Twilio takes them; without it they go to the log. */
export function openSms(
  config: Pick<Config, 'smsUrl'>,
  log: Log,
  sentMessages: SentMessages | null,
  now: () => Date,
): Sms {
  const { smsUrl } = config
  return {
    async send({ to, text }) {
      sentMessages?.add({ to, text, at: now() })
      if (!smsUrl) return log('text message', { to, text })
      // Only this much of a failure goes on: the rest may name account, token or number.
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

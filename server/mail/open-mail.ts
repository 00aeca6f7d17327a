import nodemailer from 'nodemailer'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Mail } from './message.ts'
import type { SentMessages } from './sent-messages'
import { redactSecrets } from './redact-secrets'

const addressPattern = /^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@]{1,255}$/u

/** One address and nothing else: no list of them, no line break that would begin another header. Throws. */
function oneAddress(text: string): string {
  // Control characters are more than white space.
  if (!addressPattern.test(text) || /\p{Cc}/u.test(text))
    throw new Error('A mail needs one plain address to go to')
  return text
}

/** A header's text on one line. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

/** How long a mail server may keep us waiting, and how long we wait before the one retry. */
const connectTimeoutMs = 10_000
const responseTimeoutMs = 20_000
const retryDelayMs = 2000

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Mail by SMTP_URL; without it the whole mail goes to the log, its only way to the reader. `outbox` keeps it in development. */
export function openMail(
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  log: Log,
  sentMessages: SentMessages | null,
  now: () => Date,
  pauseMs = retryDelayMs,
): Mail {
  const { smtpUrl, mailFrom } = config
  const transport = smtpUrl
    ? nodemailer.createTransport({
        url: smtpUrl,
        connectionTimeout: connectTimeoutMs,
        greetingTimeout: connectTimeoutMs,
        socketTimeout: responseTimeoutMs,
        dnsTimeout: connectTimeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
    : null
  const deliver = async (message: {
    to: string
    subject: string
    text: string
    html?: string
  }): Promise<void> => {
    // An object, not a text: a text would be read as a list of addresses.
    await transport?.sendMail({ ...message, from: oneLine(mailFrom), to: { name: '', address: message.to } })
  }
  return {
    async send({ to, subject, text, html }) {
      const message = {
        to: oneAddress(to),
        subject: oneLine(subject),
        text,
        ...(html === undefined ? {} : { html }),
      }
      sentMessages?.add({ to, subject: message.subject, text, at: now() })
      if (!smtpUrl) return log('mail', { to, subject: message.subject, text })
      // To whom is personal, and the answer of a mail server may repeat what it was told: so only this much of a failure goes on.
      const failure = await deliver(message)
        .catch(() => wait(pauseMs).then(() => deliver(message)))
        .then(
          () => null,
          (error: unknown) => redactSecrets(error, smtpUrl).replaceAll(to, '…'),
        )
      if (failure === null) return
      log('mail failed', { subject: message.subject, error: failure })
      throw new Error(`The mail could not be sent: ${failure}`)
    },
  }
}

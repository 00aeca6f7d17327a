import nodemailer from 'nodemailer'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/jobs/log.ts'
import { mailFailed, mailSent } from '#server/metrics/server-metrics.ts'
import { type Mail, type Message, redactSecrets, type SentMessages } from './message.ts'

const addressPattern = /^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@]{1,255}$/u

/** Throws unless the text is one plain address: no list, and no line breaks, which would start another header. */
function requireOneAddress(text: string): string {
  // The pattern excludes white space, but not all control characters.
  if (!addressPattern.test(text) || /\p{Cc}/u.test(text))
    throw new Error('A mail needs one plain address to go to')
  return text
}

/** Joins lines, because a header must not contain line breaks. */
const joinLines = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

const extractAddress = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from

const connectTimeoutMs = 10_000
const responseTimeoutMs = 20_000
/** Delay before the only retry. */
const retryDelayMs = 2000

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface MailOptions {
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>
  log: Log
  /** Collects messages in development; otherwise null. */
  sentMessages: SentMessages | null
  now: () => Date
  /** Delay before the only retry, ms. */
  delayMs?: number
}

/** Opens mail through SMTP_URL. Without it, mail is logged in full instead of being sent. */
export function openMail({
  config: { smtpUrl, mailFrom },
  log,
  sentMessages,
  now,
  delayMs = retryDelayMs,
}: MailOptions): Mail {
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
  // Nodemailer parses strings as lists of addresses, but not objects.
  const toAddresses = (list: readonly string[]) => list.map((address) => ({ name: '', address }))
  const deliver = async ({ to, cc, replyTo, fromName, ...message }: Message): Promise<void> => {
    await transport?.sendMail({
      ...message,
      from: fromName ? { name: joinLines(fromName), address: extractAddress(mailFrom) } : joinLines(mailFrom),
      to: toAddresses([to].flat()),
      ...(cc?.length ? { cc: toAddresses(cc) } : {}),
      ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
    })
  }
  return {
    async send({ to: recipients, cc = [], replyTo, fromName, subject, text, html, attachments }) {
      const message: Message = {
        to: [recipients].flat().map(requireOneAddress),
        cc: cc.map(requireOneAddress),
        ...(replyTo === undefined ? {} : { replyTo: requireOneAddress(replyTo) }),
        ...(fromName === undefined ? {} : { fromName }),
        subject: joinLines(subject),
        text,
        ...(html === undefined ? {} : { html }),
        ...(attachments === undefined ? {} : { attachments }),
      }
      const to = [...message.to, ...cc].join(', ')
      sentMessages?.add({ to, subject: message.subject, text, at: now() })
      if (!smtpUrl) return log('mail', { to, subject: message.subject, text })
      // The server's response may contain the password and, as personal data, the recipients: both are removed.
      const failure = await deliver(message)
        .catch(() => wait(delayMs).then(() => deliver(message)))
        .then(
          () => null,
          (error: unknown) =>
            [...message.to, ...cc].reduce(
              (problem, address) => problem.replaceAll(address, '…'),
              redactSecrets(error, smtpUrl),
            ),
        )
      if (failure === null) return mailSent.inc()
      mailFailed.inc()
      log('mail failed', { subject: message.subject, error: failure })
      throw new Error(`The mail could not be sent: ${failure}`)
    },
  }
}

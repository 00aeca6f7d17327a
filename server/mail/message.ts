import { getErrorMessage } from '#contract/problem-text.ts'

interface Attachment {
  filename: string
  content: string | Buffer
  contentType: string
}

/** A mail in plain text, optionally with HTML and files. */
export interface MailContent {
  subject: string
  text: string
  html?: string
  attachments?: Attachment[]
  cc?: readonly string[]
  replyTo?: string
  /** Display name of the sender. The address is always that of this installation. */
  fromName?: string
}

export interface Message extends MailContent {
  to: string | readonly string[]
}

/** Sends mail. @throws Error if the mail server does not accept it. */
export interface Mail {
  send(message: Message): Promise<void>
}

/** Sends text messages. @throws Error if the service does not accept a message. */
export interface Sms {
  send(message: { to: string; text: string }): Promise<void>
}

/** A mail or text message that was sent. */
export interface SentMessage {
  to: string
  /** Only for mails. */
  subject?: string
  text: string
  at: Date
}

/** Stores the latest messages in memory, newest first, for the mail page of the development mode. */
export class SentMessages {
  readonly #messages: SentMessage[] = []
  readonly #maxMessages: number
  constructor(maxMessages = 100) {
    this.#maxMessages = maxMessages
  }

  add(sent: SentMessage): void {
    this.#messages.unshift(sent)
    this.#messages.length = Math.min(this.#messages.length, this.#maxMessages)
  }

  list(): readonly SentMessage[] {
    return this.#messages
  }
}

/** Shorter forms are not redacted, because they occur in other words. */
const minRedactedLength = 4
const maxErrorLength = 300

/** Returns an error's message without the user name and password of the URL, in any of their encodings. */
export function redactSecrets(error: unknown, url: string): string {
  const { username: encodedUser, password: encodedPassword } = new URL(url)
  const text = getErrorMessage(error)
  const name = decodeURIComponent(encodedUser)
  const password = decodeURIComponent(encodedPassword)
  // Credentials as encoded by HTTP and SMTP authentication, combined and separate.
  const base64Forms = [`${name}:${password}`, `\u0000${name}\u0000${password}`, name, password].map((plain) =>
    Buffer.from(plain).toString('base64'),
  )
  return [
    ...base64Forms,
    encodedUser,
    encodedPassword,
    name,
    password,
    encodeURIComponent(name),
    encodeURIComponent(password),
  ]
    .filter((form) => form.length >= minRedactedLength)
    .toSorted((a, b) => b.length - a.length)
    .reduce((redacted, form) => redacted.replaceAll(form, '…'), text)
    .slice(0, maxErrorLength)
}

import type { MailContent } from '#server/mail/message.ts'
import type { Recipient } from './recipient.ts'

/** To whom a message goes, and about which region. */
export interface MessageContext {
  recipient: Recipient
  organizationId: string
  region: { regionId: string; text: string; timezone: string }
  /** Origin of links. */
  publicUrl: string
  /** Ends the subscription without a sign-in; null: there is none. */
  token: string | null
  /** The mail of the day, with all messages since the last one. */
  isDigest: boolean
}

/** How an attempt of a mail ended. */
export interface AttemptOutcome {
  /** Null: the mail server took it. */
  problem: string | null
  /** It is not tried again. */
  isGivenUp: boolean
}

/** A mail of a room. `to`: other recipients than the user, who requested it. */
export interface ComposedMail extends MailContent {
  to?: readonly string[]
}

/**
 * A kind of messages that a room sends. Messages are composed when they are sent, so that nobody receives what they may no longer see, and
 * a mail of the day has all of its messages. Returns null where nothing is left to be sent.
 */
export interface NotificationKind {
  /** Also the `type` of a webhook's body. */
  name: string
  /** Each message is a mail of its own. */
  isSeparate?: true
  /** Called after each attempt of a mail. */
  afterAttempt?(payloads: readonly unknown[], outcome: AttemptOutcome, at: Date): Promise<void>
  /** One mail about all messages of a subscription that are due. */
  composeMail(payloads: readonly unknown[], context: MessageContext): Promise<ComposedMail | null>
  /** `data` of a webhook's body. Must be the same at each attempt unless rights change. */
  composeData?(payload: unknown, context: MessageContext): object | null
}

/** A message to be sent to a user: to a subscription by its channel, otherwise by mail. */
export interface NewNotification {
  kind: string
  regionId: string
  userId: string
  subscriptionId: string | null
  /** What the kind composes messages from, such as ids or records. */
  payload: object
  /** For lists: what it is about, and how many items it has. */
  title?: string
  itemCount?: number
}

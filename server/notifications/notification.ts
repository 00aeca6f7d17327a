import type { MailContent } from '#server/mail/message.ts'
import type { Recipient } from './recipient.ts'

/** The recipient of a message, and its region. */
export interface MessageContext {
  recipient: Recipient
  organizationId: string
  region: { regionId: string; text: string; timezone: string }
  /** Origin of links. */
  publicUrl: string
  /** Ends the subscription without a sign-in; null without a subscription. */
  token: string | null
  /** Whether it is the daily mail, with all messages since the last one. */
  isDigest: boolean
}

/** The result of an attempt to send a mail. */
export interface AttemptOutcome {
  /** Null if the mail server accepted it. */
  problem: string | null
  /** Whether it is not tried again. */
  isGivenUp: boolean
}

/** A mail of a room. `to`: other recipients than the user, who requested it. */
export interface ComposedMail extends MailContent {
  to?: readonly string[]
}

/**
 * A kind of messages that a room sends. Messages are composed when they are sent, so that nobody receives what they may no longer see, and
 * a daily mail has all of its messages. Returns null if nothing is left to send.
 */
export interface NotificationKind {
  /** Also the `type` of a webhook's body. */
  name: string
  /** Each message is a mail of its own. */
  isSeparate?: true
  /** Called after each attempt of a mail. */
  afterAttempt?(payloads: readonly unknown[], outcome: AttemptOutcome, at: Date): Promise<void>
  /** One mail about all due messages of a subscription. */
  composeMail(payloads: readonly unknown[], context: MessageContext): Promise<ComposedMail | null>
  /** `data` of a webhook's body. Must be the same at each attempt unless rights change. */
  composeData?(payload: unknown, context: MessageContext): object | null
}

/** A message for a user, through the channel of a subscription or by mail. */
export interface NewNotification {
  kind: string
  regionId: string
  userId: string
  subscriptionId: string | null
  /** What the kind composes messages from, such as ids or records. */
  payload: object
  /** For lists: the subject, and the number of items. */
  title?: string
  itemCount?: number
}

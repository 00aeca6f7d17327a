import type { MailContent } from '#server/mail/message.ts'
import type { Recipient } from './recipient.ts'

/** The context in which a message is composed. */
export interface MessageContext {
  recipient: Recipient
  organizationId: string
  region: { regionId: string; text: string; timezone: string }
  /** The origin of links in messages. */
  publicUrl: string
  /** Token that ends the subscription without a sign-in; null if there is no subscription. */
  token: string | null
  /** Whether this is the daily mail with all messages since the last one. */
  isDigest: boolean
}

/** The result of an attempt to send a mail. */
export interface AttemptOutcome {
  /** Null if the mail server accepted it. */
  problem: string | null
  /** Whether it will not be retried. */
  isGivenUp: boolean
}

/** A composed mail. `to`: recipients, if other than the user of the notification. */
export interface ComposedMail extends MailContent {
  to?: readonly string[]
}

/**
 * A kind of messages that a room sends. Messages are composed when they are sent and not when they are
 * queued, so that nobody receives what they may no longer see, and a daily mail contains everything since the
 * last one.
 */
export interface NotificationKind {
  /** The name of the kind, which is also the `type` in webhook bodies. */
  name: string
  /** Sends a separate mail for each message. */
  isSeparate?: true
  /** Called after each attempt to send a mail. */
  afterAttempt?(payloads: readonly unknown[], outcome: AttemptOutcome, at: Date): Promise<void>
  /** Composes one mail about all due messages of a subscription; null if nothing is left to send. */
  composeMail(payloads: readonly unknown[], context: MessageContext): Promise<ComposedMail | null>
  /** Composes `data` of a webhook body, the same at each attempt unless rights change; null: send nothing. */
  composeData?(payload: unknown, context: MessageContext): object | null
}

/** A message for a user, sent through the channel of a subscription or, without one, by mail. */
export interface NewNotification {
  kind: string
  regionId: string
  userId: string
  subscriptionId: string | null
  /** The data from which the kind composes messages, such as ids or records. */
  payload: object
  /** The subject and number of items, for lists of messages. */
  title?: string
  itemCount?: number
}

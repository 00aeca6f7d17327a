/** A mail or text message that was sent. */
export interface SentMessage {
  to: string
  /** Only for mails. */
  subject?: string
  text: string
  at: Date
}

/** The latest messages, newest first, in memory; for the page of the development mode. */
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

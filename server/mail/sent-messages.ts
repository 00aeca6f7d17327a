/** A mail or text message that was sent. */
export interface SentMessage {
  to: string
  /** Of mails. */
  subject?: string
  text: string
  at: Date
}

/** Keeps the last messages in memory, newest first: for the development page only. */
export class SentMessages {
  readonly #messages: SentMessage[] = []
  readonly #maxMessages: number
  constructor(most = 100) {
    this.#maxMessages = most
  }

  add(sent: SentMessage): void {
    this.#messages.unshift(sent)
    this.#messages.length = Math.min(this.#messages.length, this.#maxMessages)
  }

  list(): readonly SentMessage[] {
    return this.#messages
  }
}

/** A mail or text message that was sent. */
export interface Sent {
  to: string
  /** Of mails. */
  subject?: string
  text: string
  at: Date
}

/** Keeps the last messages in memory, newest first: for the development page only. */
export class Outbox {
  readonly #kept: Sent[] = []
  readonly #most: number
  constructor(most = 100) {
    this.#most = most
  }

  keep(sent: Sent): void {
    this.#kept.unshift(sent)
    this.#kept.length = Math.min(this.#kept.length, this.#most)
  }

  list(): readonly Sent[] {
    return this.#kept
  }
}

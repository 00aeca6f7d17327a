/** A mail as it is sent, in plain text or with HTML beside it. */
export interface Message {
  to: string
  subject: string
  text: string
  html?: string
}

/** Sends mail; throws where it could not be handed over. */
export interface Mail {
  send(message: Message): Promise<void>
}

/** Sends text messages; throws where the service did not take it. */
export interface Sms {
  send(message: { to: string; text: string }): Promise<void>
}

/** A mail in plain text, optionally with HTML. */
export interface Message {
  to: string
  subject: string
  text: string
  html?: string
}

/** Sends mail; throws if the mail server did not accept it. */
export interface Mail {
  send(message: Message): Promise<void>
}

/** Sends text messages; throws if the service did not accept one. */
export interface Sms {
  send(message: { to: string; text: string }): Promise<void>
}

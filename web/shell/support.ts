/** Where help is. Both are of whoever runs the server: the address stands in index.html, `<meta name="support-email" content="...">`. */
export const support = {
  /** Empty where none is named: then the message is addressed by whoever sends it. */
  email: (): string => document.querySelector<HTMLMetaElement>('meta[name="support-email"]')?.content.trim() ?? '',
  /** The help site: the reference that the server itself serves. */
  helpSite: '/v2/docs',
} as const

/** Opens the mail program with a message in it. */
export const mailAddress = (email: string, subject: string, body: string): string => `mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`

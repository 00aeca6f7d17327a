const metaContent = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content.trim() ?? ''

/** Where help is. Both are of whoever runs the server and stand in index.html: `<meta name="support-email" content="...">`, `help-site`. */
export const support = {
  /** Empty where none is named: then the message is addressed by whoever sends it. */
  email: (): string => metaContent('support-email'),
  /** The help site; where none is named, the reference that the server itself serves. */
  helpSite: (): string => metaContent('help-site') || '/v2/docs',
} as const

/** Opens the mail program with a message in it. */
export const mailtoUrl = (email: string, subject: string, body: string): string =>
  `mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`

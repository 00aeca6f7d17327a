const readMetaContent = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content.trim() ?? ''

/** Support contacts in index.html, set by the operator: `<meta name="support-email" content="...">`. */
export const support = {
  /** Empty if none is configured; the sender then enters the address. */
  email: (): string => readMetaContent('support-email'),
  /** The help site; by default the user guide. */
  helpSite: (): string => readMetaContent('help-site') || '/help',
} as const

/** URL that opens the mail program with a message. */
export const mailtoUrl = (email: string, subject: string, body: string): string =>
  `mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`

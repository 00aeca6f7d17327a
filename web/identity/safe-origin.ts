/** The target after the sign-in: only paths of this site, so that no link can lead elsewhere. */
export function safeOrigin(origin: string | undefined): string {
  // Browsers remove tabs and line ends from URLs: `/<tab>/elsewhere` is another site.
  if (!origin?.startsWith('/') || /^\/[/\\]|[\t\n\r]/.test(origin)) return '/'
  return /^\/(login|logout|oidc|oauth2)([/?#]|$)/.test(origin) ? '/' : origin
}

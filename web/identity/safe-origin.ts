/** The path to open after the sign-in: `origin` if it is a path of the app on this site, else the root. */
export function safeOrigin(origin: string | undefined): string {
  // Browsers remove tabs and line ends from URLs: `/<tab>/elsewhere` is another site.
  if (!origin?.startsWith('/') || /^\/[/\\]|[\t\n\r]/.test(origin)) return '/'
  return /^\/(login|logout|oidc|oauth2)([/?#]|$)/.test(origin) ? '/' : origin
}

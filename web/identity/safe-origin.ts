/** Where to go after the sign-in: only places of this site, so that no link can lead elsewhere. */
export function safeOrigin(origin: string | undefined): string {
  // Addresses lose tabs and line ends when they are read: `/<tab>/elsewhere` is another site.
  if (!origin?.startsWith('/') || /^\/[/\\]|[\t\n\r]/.test(origin)) return '/'
  return /^\/(login|logout|oidc|oauth2)([/?#]|$)/.test(origin) ? '/' : origin
}

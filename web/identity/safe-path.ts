/** Browsers remove tabs and line ends from URLs: `/<tab>/elsewhere` is another site. */
const otherSitePattern = /^\/[/\\]|[\t\n\r]/
/** Pages that would begin or end the session again. */
const signInPagePattern = /^\/(login|logout|oidc|oauth2)([/?#]|$)/

/** Returns the path to open after the sign-in: `origin` if it is a path of the app on this site, else the root. */
export function getSafePath(origin: string | undefined): string {
  if (!origin?.startsWith('/') || otherSitePattern.test(origin)) return '/'
  return signInPagePattern.test(origin) ? '/' : origin
}

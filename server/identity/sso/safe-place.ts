/** Where a browser may be led after the sign-in: a path of this site; anything else becomes the root. */
export function safePlace(place: string | null | undefined, publicUrl: string): string {
  if (!place?.startsWith('/') || place.length > 2000) return '/'
  // Addresses lose tabs and line ends when they are read: `/<tab>/elsewhere` is another site.
  if (/^\/[/\\]|\p{Cc}/u.test(place)) return '/'
  const url = URL.canParse(place, publicUrl) ? new URL(place, publicUrl) : null
  // `/.//elsewhere` is a path of two slashes once it has been read: for a browser, another site.
  if (
    url?.origin !== new URL(publicUrl).origin ||
    url.pathname.startsWith('//') ||
    /^\/(login|logout|oidc|oauth2|api)(\/|$)/.test(url.pathname)
  )
    return '/'
  return url.pathname + url.search + url.hash
}

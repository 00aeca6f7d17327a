import { Problem } from './problem.ts'

interface RequestOrigin {
  method: string
  /** The requested host with its port, as in the browser's address bar. */
  host: string
  /** If there is a bearer token, the cookie is removed, so that the token alone identifies the caller. */
  headers: Headers
}

const isOwnOrigin = (origin: string, host: string, publicUrl: string): boolean =>
  origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === host)

/**
 * Refuses changes that a page of another site requests with the cookie of a user who is signed in here
 * (CSRF). Programs with a bearer token need no cookie and are not affected.
 */
export function refuseForeignPage({ method, host, headers }: RequestOrigin, publicUrl: string): void {
  // Otherwise, the cookie would authenticate a request with an invalid token.
  if (/^bearer\s/i.test(headers.get('authorization') ?? '')) headers.delete('cookie')
  if (method === 'GET' || method === 'HEAD' || !headers.has('cookie')) return
  const origin = headers.get('origin')
  const isForeign =
    headers.get('sec-fetch-site') === 'cross-site' ||
    (origin !== null && !isOwnOrigin(origin, host, publicUrl))
  if (isForeign) throw new Problem('forbidden', 'The request came from a page of another site.')
}

import { Problem } from './problem.ts'

interface Asked {
  method: string
  /** The host that was asked, as the browser knows it. */
  host: string
  /** A cookie is taken out where a bearer token is there: the token alone says who asks. */
  headers: Headers
}

const isOwn = (origin: string, host: string, publicUrl: string): boolean =>
  origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === host)

/**
 * Refuses a change that a page of another site makes in the name of who is signed in here: the browser sends our cookie along,
 * and says where the page is from. Programs with a bearer token send no cookie and are left alone.
 */
export function refuseForeignPage({ method, host, headers }: Asked, publicUrl: string): void {
  // With both, a bad token would let the cookie stand in for it.
  if (/^bearer\s/i.test(headers.get('authorization') ?? '')) headers.delete('cookie')
  if (method === 'GET' || method === 'HEAD' || !headers.has('cookie')) return
  const origin = headers.get('origin')
  const foreign =
    headers.get('sec-fetch-site') === 'cross-site' || (origin !== null && !isOwn(origin, host, publicUrl))
  if (foreign) throw new Problem('forbidden', 'This came from a page of another site.')
}

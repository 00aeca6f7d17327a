import type { Request } from '#server/ingest/adapters/adapter.ts'
import type { FullAuth } from './full-auth.ts'

/** A request with what its server wants to see. `token`: the access token where the feed has one by OAuth. */
export function authorize(request: Request, auth: FullAuth, token: string | null): Request {
  const headers: Record<string, string> = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const url = new URL(request.url)
  url.hash = ''
  if (auth.kind === 'bearer') headers['authorization'] = `Bearer ${auth.token}`
  if (auth.kind === 'oauth' && token) headers['authorization'] = `Bearer ${token}`
  if (auth.kind === 'headers') for (const { name, value } of auth.headers) headers[name.toLowerCase()] = value
  if (auth.kind === 'query') for (const { name, value } of auth.query) url.searchParams.set(name, value)
  return { url: url.href, headers }
}

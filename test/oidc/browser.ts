import type { LightMyRequestResponse } from 'fastify'
import { request, type TestApp } from '../app.ts'

/** Public URL of the server in these stories. */
export const publicUrl = 'https://streets.example'

let addresses = 0
/** Another IP address for each request, so that the rate limit per address does not apply. */
const from = (): string => `10.3.${++addresses >> 8}.${addresses & 255}`

export const get = (
  app: TestApp,
  url: string,
  cookie?: string,
  address = from(),
): Promise<LightMyRequestResponse> =>
  request(app, { method: 'GET', url, from: address, headers: cookie ? { cookie } : {} })

export const getCookies = (response: LightMyRequestResponse): string[] =>
  [response.headers['set-cookie'] ?? []].flat()

/** A cookie without its attributes, as browsers send it. */
export const bare = (cookie = ''): string => cookie.split(';')[0] ?? ''

/** The path of a URL of this site. */
export const getPath = (address: string): string => new URL(address, publicUrl).href.slice(publicUrl.length)

/** Begins a sign-in. Returns the redirect of the browser and its cookie. */
export async function start(app: TestApp, query: Record<string, string>, cookie?: string) {
  const response = await get(app, `/api/sso/start?${new URLSearchParams(query)}`, cookie)
  const [set] = getCookies(response)
  return { response, to: new URL(String(response.headers['location']), publicUrl), cookie: bare(set), set }
}

/** Completes a sign-in at the forging provider. The code is the nonce. */
export async function signInForged(
  app: TestApp,
  provider_id: string,
  organizationId: string,
): Promise<LightMyRequestResponse> {
  const { to, cookie } = await start(app, { provider_id })
  const query = new URLSearchParams({
    code: to.searchParams.get('nonce') ?? '',
    state: to.searchParams.get('state') ?? '',
  })
  return get(app, `/api/sso/callback/${organizationId}?${query}`, cookie)
}

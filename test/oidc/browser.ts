import type { LightMyRequestResponse } from 'fastify'
import { request, type TestApp } from '../app.ts'

/** Where the server of these stories is reached. */
export const publicUrl = 'https://streets.example'

let addresses = 0
/** Another address each time, so that the limit of one stays out of the way. */
const from = (): string => `10.3.${++addresses >> 8}.${addresses & 255}`

export const get = (
  app: TestApp,
  url: string,
  cookie?: string,
  address = from(),
): Promise<LightMyRequestResponse> =>
  request(app, { method: 'GET', url, from: address, headers: cookie ? { cookie } : {} })

export const cookiesOf = (response: LightMyRequestResponse): string[] =>
  [response.headers['set-cookie'] ?? []].flat()

/** A cookie as it is sent back. */
export const bare = (cookie = ''): string => cookie.split(';')[0] ?? ''

/** An address of this site without the site. */
export const pathOf = (address: string): string => new URL(address, publicUrl).href.slice(publicUrl.length)

/** Begins a sign-in: where the browser is sent, and its cookie. */
export async function start(app: TestApp, query: Record<string, string>, cookie?: string) {
  const response = await get(app, `/api/sso/start?${new URLSearchParams(query)}`, cookie)
  const [set] = cookiesOf(response)
  return { response, to: new URL(String(response.headers['location']), publicUrl), cookie: bare(set), set }
}

/** A complete sign-in at the forging provider; the code is the nonce. */
export async function comeForged(
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

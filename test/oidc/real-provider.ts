import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPairSync } from 'node:crypto'
import { Provider } from 'oidc-provider'

/** The claims of a person. The sign-in name is the subject. */
export interface Person {
  email?: string
  email_verified?: boolean
  name?: string
}

/** A standard OpenID provider, on loopback. */
export interface RealProvider {
  issuer: string
  clientId: string
  clientSecret: string
  people: Map<string, Person>
  close(): void
}

/** Starts the provider. It redirects only to `redirectUri`, and requires PKCE. */
export async function startRealProvider(redirectUri: string): Promise<RealProvider> {
  const server = http.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['publicway', 'a client secret that nobody may see']
  const people = new Map<string, Person>()
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    cookies: { keys: ['only for tests'] },
    jwks: { keys: [{ ...key, use: 'sig', alg: 'RS256', kid: 'one' }] } as never,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
      Grant: 600,
    },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...people.get(subject) }),
    }),
  })
  server.on('request', provider.callback())
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Signs in as a person on the provider's pages and consents. Returns the URL of the final redirect. */
export async function signInAtProvider(authorization: string, person: string): Promise<string> {
  const cookies = new Map<string, string>()
  const call = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    const response = await fetch(url, {
      redirect: 'manual',
      headers,
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  const { origin } = new URL(authorization)
  let response = await call(authorization)
  for (let step = 0; step < 12; step++) {
    const to = response.headers.get('location')
    if (to) {
      const next = new URL(to, origin)
      if (next.origin !== origin) return next.href
      response = await call(next.href)
      continue
    }
    const page = await response.text()
    const action = /action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (!action || !prompt) throw new Error(`The provider shows ${response.status} ${page.slice(0, 300)}`)
    response = await call(
      new URL(action, origin).href,
      prompt === 'login' ? { prompt, login: person, password: 'any' } : { prompt },
    )
  }
  throw new Error('The provider leads in circles')
}

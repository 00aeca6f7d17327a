import { generateKeyPairSync, sign } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>

/** A sign-in provider with scripted errors in its discovery document, its tokens and their signatures. */
export interface ForgingProvider {
  issuer: string
  /** Change the next discovery document or ID token. They receive the correct one. */
  document: (honest: Json) => Json
  claims: (honest: Json) => Json
  /** Whether tokens are signed with an unpublished key. */
  otherKey: boolean
  /** The algorithm in the header of tokens. */
  alg: string
  /** Requests to the token endpoint. */
  requests: URLSearchParams[]
  headers: http.IncomingHttpHeaders[]
  close(): void
}

const encodeJson = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const keys = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))

/** Starts the provider. Unchanged tokens contain the claims of `person` and the nonce in `code`. */
export async function startForgingProvider(clientId: string, person: Json): Promise<ForgingProvider> {
  const server = http.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: ForgingProvider = {
    issuer,
    document: (honest) => honest,
    claims: (honest) => honest,
    otherKey: false,
    alg: 'RS256',
    requests: [],
    headers: [],
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  const makeDocument = (): Json =>
    provider.document({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    })
  const makeIdToken = (nonce: string): string => {
    const seconds = Math.floor(Date.now() / 1000)
    const payload = provider.claims({
      iss: issuer,
      aud: clientId,
      nonce,
      iat: seconds,
      exp: seconds + 300,
      ...person,
    })
    const body = `${encodeJson({ alg: provider.alg, kid: 'one', typ: 'JWT' })}.${encodeJson(payload)}`
    const key = keys[provider.otherKey ? 1 : 0]
    return provider.alg === 'none' || !key
      ? `${body}.`
      : `${body}.${sign('sha256', Buffer.from(body), key.privateKey).toString('base64url')}`
  }
  server.on('request', (request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const sendJson = (value: Json): void =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (request.url === '/.well-known/openid-configuration') return sendJson(makeDocument())
      if (request.url === '/keys')
        return sendJson({
          keys: [{ ...keys[0]?.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }],
        })
      const form = new URLSearchParams(text)
      provider.requests.push(form)
      provider.headers.push(request.headers)
      return sendJson({
        access_token: 'an-access-token',
        token_type: 'Bearer',
        expires_in: 60,
        id_token: makeIdToken(form.get('code') ?? ''),
      })
    })
  })
  return provider
}

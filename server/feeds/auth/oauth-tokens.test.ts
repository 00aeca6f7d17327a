import { beforeEach, describe, expect, it } from 'vitest'
import type { GuardedRequest, GuardedFetch } from '#server/http/guarded-fetch.ts'
import { createOAuthTokens } from './oauth-tokens.ts'

const auth = {
  kind: 'oauth',
  tokenUrl: 'https://o.example/token',
  clientId: 'us & co',
  clientSecret: 'a:b',
  scope: 'mds',
} as const
let requests: GuardedRequest[]
let replies: [status: number, body: unknown][]
let at: number
const fetch: GuardedFetch = async (_url, request = {}) => {
  requests.push(request)
  const [status, body] = replies.shift() ?? [200, { access_token: `t${requests.length}`, expires_in: 600 }]
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
}
const open = () => createOAuthTokens(fetch, () => new Date(at))
beforeEach(() => {
  requests = []
  replies = []
  at = 0
})

describe('an access token', () => {
  it('caches an access token until shortly before it expires, and shares it among concurrent calls', async () => {
    const tokens = open()
    expect(await Promise.all([tokens.token(auth), tokens.token(auth)])).toEqual(['t1', 't1'])
    at = 539_000
    expect(await tokens.token(auth)).toBe('t1')
    at = 541_000
    expect(await tokens.token(auth)).toBe('t2')
    tokens.discard(auth)
    expect(await tokens.token(auth)).toBe('t3')
    expect(await tokens.token({ ...auth, scope: 'other' })).toBe('t4')
  })

  it('requests a token with the credentials in the header, or in the form if the server rejects that', async () => {
    replies = [[401, {}]]
    expect(await open().token(auth)).toBe('t2')
    expect(
      Buffer.from(requests[0]?.headers?.['authorization']?.split(' ')[1] ?? '', 'base64').toString(),
    ).toBe('us+%26+co:a%3Ab')
    expect(String(requests[0]?.body)).toBe('grant_type=client_credentials&scope=mds')
    expect(requests[1]?.headers).not.toHaveProperty('authorization')
    expect(Object.fromEntries(requests[1]?.body as URLSearchParams)).toEqual({
      grant_type: 'client_credentials',
      scope: 'mds',
      client_id: 'us & co',
      client_secret: 'a:b',
    })
  })

  it.each([
    [
      [
        [401, {}],
        [401, {}],
      ],
      /status 401: check/,
    ],
    [[[500, 'a:b is wrong']], /status 500/],
    [[[200, '<html>']], /contains no access token/],
    [[[200, { access_token: 7 }]], /contains no access token/],
    [[[200, { access_token: 'two\r\nlines' }]], /contains no access token/],
  ] as [typeof replies, RegExp][])(
    '%j is an error without a secret, and the token is requested again',
    async (given, problem) => {
      replies = given
      const tokens = open()
      await expect(tokens.token(auth)).rejects.toThrow(problem)
      expect(await tokens.token(auth)).toMatch(/^t\d$/)
    },
  )
})

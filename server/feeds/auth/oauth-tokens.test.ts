import { beforeEach, describe, expect, it } from 'vitest'
import type { GuardedRequest, GuardedFetch } from '#server/http/guarded-fetch.ts'
import { oauthTokens } from './oauth-tokens.ts'

const auth = {
  kind: 'oauth',
  tokenUrl: 'https://o.example/token',
  clientId: 'us & co',
  clientSecret: 'a:b',
  scope: 'mds',
} as const
let asked: GuardedRequest[]
let replies: [status: number, body: unknown][]
let at: number
const fetch: GuardedFetch = async (_url, ask = {}) => {
  asked.push(ask)
  const [status, body] = replies.shift() ?? [200, { access_token: `t${asked.length}`, expires_in: 600 }]
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
}
const open = () => oauthTokens(fetch, () => new Date(at))
beforeEach(() => {
  asked = []
  replies = []
  at = 0
})

describe('an access token', () => {
  it('is kept until shortly before its end, and shared by who asks at once', async () => {
    const tokens = open()
    expect(await Promise.all([tokens.token(auth), tokens.token(auth)])).toEqual(['t1', 't1'])
    at = 539_000
    expect(await tokens.token(auth)).toBe('t1')
    at = 541_000
    expect(await tokens.token(auth)).toBe('t2')
    tokens.forget(auth)
    expect(await tokens.token(auth)).toBe('t3')
    expect(await tokens.token({ ...auth, scope: 'other' })).toBe('t4')
  })

  it('is asked for with the credentials in the header, or in the form where that is refused', async () => {
    replies = [[401, {}]]
    expect(await open().token(auth)).toBe('t2')
    expect(Buffer.from(asked[0]?.headers?.['authorization']?.split(' ')[1] ?? '', 'base64').toString()).toBe(
      'us+%26+co:a%3Ab',
    )
    expect(String(asked[0]?.body)).toBe('grant_type=client_credentials&scope=mds')
    expect(asked[1]?.headers).not.toHaveProperty('authorization')
    expect(Object.fromEntries(asked[1]?.body as URLSearchParams)).toEqual({
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
      /answered 401: check/,
    ],
    [[[500, 'a:b is wrong']], /answered 500/],
    [[[200, '<html>']], /without an access token/],
    [[[200, { access_token: 7 }]], /without an access token/],
    [[[200, { access_token: 'two\r\nlines' }]], /without an access token/],
  ] as [typeof replies, RegExp][])(
    '%j is a problem without a secret, and is asked for anew',
    async (given, problem) => {
      replies = given
      const tokens = open()
      await expect(tokens.token(auth)).rejects.toThrow(problem)
      expect(await tokens.token(auth)).toMatch(/^t\d$/)
    },
  )
})

import { describe, expect, it } from 'vitest'
import { type FullAuth, mergeAuth, findMissingSecret, listSecrets, hideAuthSecrets } from './full-auth.ts'
import { authorize } from '../pull/fetch-page.ts'
import { hideSecretsInBody, hideSecretsInUrl, hideSecrets } from './hide-secrets.ts'

const full: FullAuth[] = [
  { kind: 'none' },
  { kind: 'bearer', token: 'top-secret' },
  { kind: 'oauth', tokenUrl: 'https://o.example/t', clientId: 'us', clientSecret: 'top-secret', scope: '' },
  { kind: 'headers', headers: [{ name: 'X-Key', value: 'top-secret' }] },
  { kind: 'query', query: [{ name: 'key', value: 'top-secret' }] },
]

describe('the credentials that users see', () => {
  it.each(full)('the credentials that users see contain no secret of $kind', (auth) => {
    expect(JSON.stringify(hideAuthSecrets(auth))).not.toContain('top-secret')
    expect(listSecrets(auth)).toEqual(auth.kind === 'none' ? [] : ['top-secret'])
  })
})

describe('omitted secrets', () => {
  it('takes omitted secrets from the stored credentials if the kind is the same', () => {
    const [none, bearer, oauth, headers, query] = full as [FullAuth, FullAuth, FullAuth, FullAuth, FullAuth]
    expect(mergeAuth({ kind: 'bearer' }, bearer)).toEqual(bearer)
    expect(mergeAuth({ kind: 'bearer', token: 'new' }, bearer)).toEqual({ kind: 'bearer', token: 'new' })
    expect(mergeAuth({ kind: 'oauth', tokenUrl: 'https://o.example/u', clientId: 'them' }, oauth)).toEqual({
      kind: 'oauth',
      tokenUrl: 'https://o.example/u',
      clientId: 'them',
      clientSecret: 'top-secret',
      scope: '',
    })
    expect(
      mergeAuth({ kind: 'headers', headers: [{ name: 'x-key' }, { name: 'X-Other', value: 'b' }] }, headers),
    ).toEqual({
      kind: 'headers',
      headers: [
        { name: 'x-key', value: 'top-secret' },
        { name: 'X-Other', value: 'b' },
      ],
    })
    expect(findMissingSecret(mergeAuth({ kind: 'query', query: [{ name: 'token' }] }, query))).toBe(
      'auth.query',
    )
    for (const [draft, field] of [
      [{ kind: 'bearer' }, 'auth.token'],
      [{ kind: 'oauth', tokenUrl: 'https://o.example', clientId: 'x' }, 'auth.clientSecret'],
      [{ kind: 'headers', headers: [{ name: 'x' }] }, 'auth.headers'],
      [{ kind: 'none' }, null],
    ] as const)
      expect(findMissingSecret(mergeAuth(draft as Parameters<typeof mergeAuth>[0], none))).toBe(field)
  })
})

describe('a request', () => {
  const request = { url: 'https://o.example/mds/trips?end_time=x#part', headers: { Accept: 'a/b' } }
  it('contains the credentials that its server expects', () => {
    const sent = full.map((auth) => authorize(request, auth, auth.kind === 'oauth' ? 'access' : null))
    expect(sent.map(({ headers }) => headers)).toEqual([
      { accept: 'a/b' },
      { accept: 'a/b', authorization: 'Bearer top-secret' },
      { accept: 'a/b', authorization: 'Bearer access' },
      { accept: 'a/b', 'x-key': 'top-secret' },
      { accept: 'a/b' },
    ])
    expect(sent.map(({ url }) => url)).toEqual([
      ...Array.from({ length: 4 }, () => 'https://o.example/mds/trips?end_time=x'),
      'https://o.example/mds/trips?end_time=x&key=top-secret',
    ])
  })
  it('contains each parameter once, even if the link to the next page contains it', () => {
    expect(
      authorize({ url: 'https://o.example/?key=***&page=2', headers: {} }, full[4] as FullAuth, null).url,
    ).toBe('https://o.example/?key=top-secret&page=2')
  })
})

describe('secrets in texts', () => {
  const odd = 'a "b" &=c/é'
  const auth: FullAuth = {
    kind: 'query',
    query: [
      { name: 'api_key', value: odd },
      { name: 'provider', value: 'e714f168-ce56-4b41-81b7-0b6a4bd26128' },
    ],
  }
  it('removes secrets from texts in every encoding', () => {
    for (const form of [
      odd,
      encodeURIComponent(odd),
      new URLSearchParams({ x: odd }).toString().slice(2),
      JSON.stringify(odd),
      Buffer.from(odd).toString('base64'),
    ])
      expect(hideSecrets(`before ${form} after`, auth)).toMatch(/^before "?\*\*\*"? after$/)
    expect(hideSecrets('access token abcdef', { kind: 'none' }, ['abcdef'])).toBe('access token ***')
  })
  it('removes secrets from URLs by name and by value', () => {
    expect(
      hideSecretsInUrl(
        'https://me:word@o.example/x?api_key=1&token=2&page=3&provider=e714f168-ce56-4b41-81b7-0b6a4bd26128',
        auth,
      ),
    ).toBe('https://o.example/x?api_key=***&token=***&page=3&provider=***')
    expect(hideSecretsInUrl('no address', auth)).toBe('no address')
  })
  it('removes secrets from bodies, except an id that is common in the data', () => {
    const body = Buffer.from(
      `{"provider_id":"e714f168-ce56-4b41-81b7-0b6a4bd26128","next":"/?provider=e714f168-ce56-4b41-81b7-0b6a4bd26128&api_key=${encodeURIComponent(odd)}","é":"${encodeURIComponent(odd)}"}`,
    )
    expect(hideSecretsInBody(body, auth).toString()).toBe(
      '{"provider_id":"e714f168-ce56-4b41-81b7-0b6a4bd26128","next":"/?provider=***&api_key=***","é":"***"}',
    )
    const clean = Buffer.from('{"a":1}')
    expect(hideSecretsInBody(clean, auth)).toBe(clean)
  })
})

import { describe, expect, it } from 'vitest'
import { refuseForeignPage } from './serve.ts'

const publicUrl = 'https://streets.example'
const host = 'inside.example:4870'
const asks =
  (headers: Record<string, string>, method = 'POST') =>
  () =>
    refuseForeignPage({ method, host, headers: new Headers(headers) }, publicUrl)
const cookie = 'publicway.session_token=x'

describe('a change by cookie', () => {
  it('comes from our own pages', () => {
    for (const origin of [publicUrl, `http://${host}`, `https://${host}`])
      expect(asks({ cookie, origin })).not.toThrow()
    expect(asks({ cookie, origin: publicUrl, 'sec-fetch-site': 'same-origin' })).not.toThrow()
    // A program with a cookie says nothing of pages.
    expect(asks({ cookie })).not.toThrow()
  })

  it.each([
    'https://elsewhere.example',
    'null',
    '',
    'http://streets.example',
    'https://streets.example.elsewhere.example',
    'https://streets.example:8443',
    'http://inside.example',
    'http://inside.example:48700',
    'https://x.streets.example',
  ])('is refused from %j', (origin) => {
    expect(asks({ cookie, origin })).toThrow('another site')
    expect(asks({ cookie, origin }, 'PATCH')).toThrow('another site')
    expect(asks({ cookie, origin }, 'DELETE')).toThrow('another site')
  })

  it('is refused where the browser itself says cross-site', () => {
    expect(asks({ cookie, 'sec-fetch-site': 'cross-site' })).toThrow('another site')
    expect(asks({ cookie, origin: publicUrl, 'sec-fetch-site': 'cross-site' })).toThrow('another site')
  })
})

describe('what is not checked', () => {
  it('reads nobody can see the answer of', () => {
    for (const method of ['GET', 'HEAD'])
      expect(asks({ cookie, origin: 'https://elsewhere.example' }, method)).not.toThrow()
  })

  it('calls with a token, and then the cookie counts for nothing', () => {
    const headers = new Headers({ cookie, authorization: 'bearer bad', origin: 'https://elsewhere.example' })
    expect(() => refuseForeignPage({ method: 'POST', host, headers }, publicUrl)).not.toThrow()
    expect(headers.get('cookie')).toBeNull()
    // What stands before the server may ask for a password of its own: that is no token.
    expect(asks({ cookie, authorization: 'Basic eDp5', origin: 'https://elsewhere.example' })).toThrow(
      'another site',
    )
  })
})

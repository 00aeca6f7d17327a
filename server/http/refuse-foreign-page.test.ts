import { describe, expect, it } from 'vitest'
import { refuseForeignPage } from './refuse-foreign-page.ts'

const publicUrl = 'https://streets.example'
const host = 'inside.example:4870'
const send =
  (headers: Record<string, string>, method = 'POST') =>
  () =>
    refuseForeignPage({ method, host, headers: new Headers(headers) }, publicUrl)
const cookie = 'publicway.session_token=x'

describe('a change authenticated by a cookie', () => {
  it('is accepted from own pages', () => {
    for (const origin of [publicUrl, `http://${host}`, `https://${host}`])
      expect(send({ cookie, origin })).not.toThrow()
    expect(send({ cookie, origin: publicUrl, 'sec-fetch-site': 'same-origin' })).not.toThrow()
    // Programs with a cookie send no origin.
    expect(send({ cookie })).not.toThrow()
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
    expect(send({ cookie, origin })).toThrow('another site')
    expect(send({ cookie, origin }, 'PATCH')).toThrow('another site')
    expect(send({ cookie, origin }, 'DELETE')).toThrow('another site')
  })

  it('is refused if the browser reports cross-site', () => {
    expect(send({ cookie, 'sec-fetch-site': 'cross-site' })).toThrow('another site')
    expect(send({ cookie, origin: publicUrl, 'sec-fetch-site': 'cross-site' })).toThrow('another site')
  })
})

describe('refuseForeignPage', () => {
  it('accepts reads, because other sites cannot see the response', () => {
    for (const method of ['GET', 'HEAD'])
      expect(send({ cookie, origin: 'https://elsewhere.example' }, method)).not.toThrow()
  })

  it('accepts calls with a token, whose cookie is ignored', () => {
    const headers = new Headers({ cookie, authorization: 'bearer bad', origin: 'https://elsewhere.example' })
    expect(() => refuseForeignPage({ method: 'POST', host, headers }, publicUrl)).not.toThrow()
    expect(headers.get('cookie')).toBeNull()
    // Basic authentication belongs to a proxy and is not a token.
    expect(send({ cookie, authorization: 'Basic eDp5', origin: 'https://elsewhere.example' })).toThrow(
      'another site',
    )
  })
})

import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from './test-server.ts'
import { findSessionProvider, findOidcProvider, getSsoStartUrl } from './single-sign-on.ts'

afterEach(() => vi.unstubAllGlobals())

it('requests the provider of an issuer', async () => {
  const { requests } = fakeServer({ 'GET /v2/config/oidc': () => ({ gidp_provider_id: 'p', name: 'City' }) })
  expect(await findOidcProvider('https://id.example/?a&b')).toEqual({ gidp_provider_id: 'p', name: 'City' })
  expect(requests[0]?.query.get('oidc_issuer_url')).toBe('https://id.example/?a&b')
})

it('throws the error of the server, and without a response', async () => {
  fakeServer({ 'GET /v2/config/oidc': () => new ErrorResponse(404, 'ISSUER_UNKNOWN: none') })
  await expect(findOidcProvider('x')).rejects.toMatchObject({
    status: 404,
    message: 'ISSUER_UNKNOWN: none',
    id: 'quote-me',
  })
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(findSessionProvider()).rejects.toMatchObject({ status: 0 })
})

it('contains the given values, without the root as origin', () => {
  expect(getSsoStartUrl({ provider_id: 'p', login_hint: 'a+b@city.example', origin: '/here?x=1' })).toBe(
    '/api/sso/start?provider_id=p&login_hint=a%2Bb%40city.example&origin=%2Fhere%3Fx%3D1',
  )
  expect(getSsoStartUrl({ login_hint: '', provider_id: 'p', origin: '/' })).toBe(
    '/api/sso/start?provider_id=p',
  )
})

import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import {
  changeSignInProvider,
  createSignInProvider,
  deleteSignInProvider,
  listSignInProviders,
  type SignInProvider,
} from '#contract/sign-in-providers.ts'
import { systemScope } from '#server/identity/scope.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { makePeople, type TestCity } from '../city.ts'
import { signInForged, publicUrl, start } from '../oidc/browser.ts'
import { type ForgingProvider, startForgingProvider } from '../oidc/forging-provider.ts'

let app: TestApp
let city: TestCity
let forger: ForgingProvider
let alderProvider: SignInProvider
beforeAll(async () => {
  app = await openTestApp(undefined, { PUBLIC_URL: publicUrl, PRIVATE_ADDRESSES: 'on' })
  city = await makePeople(app)
  forger = await startForgingProvider('alder-client', {
    sub: 'n-1',
    email: 'new@alder.example',
    email_verified: true,
  })
  alderProvider = await call(app, city.admin, createSignInProvider, {
    body: {
      name: 'City of Alder',
      issuer: forger.issuer,
      client_id: 'alder-client',
      client_secret: 'secret',
      email_domains: ['alder.example', 'alder.example'],
      creates_users: true,
    },
  })
})
afterAll(async () => {
  forger.close()
  await app.close()
})

test('a sign-in provider is returned without its secret', () => {
  expect(alderProvider).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'City of Alder',
    issuer: forger.issuer,
    clientId: 'alder-client',
    hasSecret: true,
    emailDomains: ['alder.example'],
    createsUsers: true,
    enabled: true,
  })
})

test('omitted fields of a change are retained', async () => {
  const change = (body: Record<string, unknown>) =>
    call(app, city.admin, changeSignInProvider, { params: { provider_id: alderProvider.id }, body })
  expect(await change({ enabled: false })).toEqual({ ...alderProvider, enabled: false })
  expect(await change({ name: 'Alder' })).toEqual({ ...alderProvider, name: 'Alder', enabled: false })
  expect(await change({ creates_users: false, email_domains: ['b.alder.example'] })).toEqual({
    ...alderProvider,
    name: 'Alder',
    enabled: false,
    createsUsers: false,
    emailDomains: ['b.alder.example'],
  })
  expect(
    await change({
      name: alderProvider.name,
      enabled: true,
      creates_users: true,
      email_domains: alderProvider.emailDomains,
    }),
  ).toEqual(alderProvider)
  await signInForged(app, alderProvider.id, city.organizations.alder)
})

describe('administrators of providers', () => {
  const fields = () => ({
    name: 'Another',
    issuer: forger.issuer,
    client_id: 'x',
    email_domains: ['another.example'],
  })

  it('see the providers of their own organization only', async () => {
    expect(await call(app, city.admin, listSignInProviders)).toEqual([alderProvider])
    expect(await call(app, city.stranger, listSignInProviders)).toEqual([])
    for (const response of [
      await send(app, city.stranger, changeSignInProvider, {
        params: { provider_id: alderProvider.id },
        body: { name: 'Taken' },
      }),
      await send(app, city.stranger, deleteSignInProvider, { params: { provider_id: alderProvider.id } }),
    ])
      expect(readProblem(response).status).toBe(404)
    for (const as of [city.viewer, city.planner])
      expect(readProblem(await send(app, as, listSignInProviders)).status).toBe(403)
  })

  it('cannot claim an issuer or a domain twice, nor learn its owner', async () => {
    const twice = readProblem(
      await send(app, city.stranger, createSignInProvider, { body: { ...fields(), issuer: forger.issuer } }),
    )
    expect([twice.status, twice.detail]).toEqual([409, 'This issuer is in use already.'])
    const spare = await startForgingProvider('x', {})
    const domain = readProblem(
      await send(app, city.stranger, createSignInProvider, {
        body: { ...fields(), issuer: spare.issuer, email_domains: ['cedar.example', 'ALDER.example'] },
      }),
    )
    expect([domain.status, domain.detail]).toEqual([409, 'The domain alder.example is in use already.'])
    const cedar = await call(app, city.stranger, createSignInProvider, {
      body: { ...fields(), issuer: spare.issuer },
    })
    expect(
      readProblem(
        await send(app, city.stranger, changeSignInProvider, {
          params: { provider_id: cedar.id },
          body: { issuer: forger.issuer },
        }),
      ).status,
    ).toBe(409)
    expect(
      await call(app, city.stranger, deleteSignInProvider, { params: { provider_id: cedar.id } }),
    ).toEqual({ deleted: true })
    spare.close()
  })

  it.each<[string, (honest: Record<string, unknown>) => Record<string, unknown>, RegExp]>([
    ['of another issuer', (honest) => ({ ...honest, issuer: 'https://another.example' }), /cannot be used/],
    ['without a token endpoint', (honest) => ({ ...honest, token_endpoint: undefined }), /no token_endpoint/],
    ['without keys', (honest) => ({ ...honest, jwks_uri: undefined }), /no jwks_uri/],
    [
      'with invalid pages',
      (honest) => ({ ...honest, authorization_endpoint: 'javascript:alert(1)' }),
      /no authorization_endpoint/,
    ],
    [
      'that offers no code',
      (honest) => ({ ...honest, response_types_supported: ['id_token'] }),
      /no authorization code/,
    ],
    [
      'that takes no secret',
      (honest) => ({ ...honest, token_endpoint_auth_methods_supported: ['private_key_jwt'] }),
      /takes no client secret/,
    ],
  ])('administrators of providers cannot add a provider with a document %s', async (_, document, message) => {
    const spare = await startForgingProvider('x', {})
    spare.document = document
    const problem = readProblem(
      await send(app, city.admin, createSignInProvider, {
        body: { ...fields(), issuer: spare.issuer, client_secret: 'secret' },
      }),
    )
    spare.close()
    expect(problem.status).toBe(422)
    expect(problem.issues).toEqual([{ path: 'body.issuer', message: expect.stringMatching(message) }])
  })

  it('cannot add one that does not respond, or unknown fields', async () => {
    expect(
      readProblem(
        await send(app, city.admin, createSignInProvider, {
          body: { ...fields(), issuer: 'http://127.0.0.1:1' },
        }),
      ).detail,
    ).toMatch(/cannot be used. It could not be read/)
    for (const wrong of [
      { issuer: 'ftp://x.example' },
      { issuer: 'not an address' },
      { email_domains: [] },
      { email_domains: ['@alder.example'] },
      { email_domains: ['example'] },
      { name: ' ' },
    ])
      expect(
        readProblem(await send(app, city.admin, createSignInProvider, { body: { ...fields(), ...wrong } }))
          .status,
      ).toBe(422)
  })

  it('must enter the secret again for another issuer, and its users are not carried over', async () => {
    const [first, second] = [
      await startForgingProvider('x', { sub: 's', email: 'carried@carried.example', email_verified: true }),
      await startForgingProvider('x', {}),
    ]
    const made = await call(app, city.admin, createSignInProvider, {
      body: {
        ...fields(),
        issuer: first.issuer,
        client_secret: 'first',
        email_domains: ['carried.example'],
        creates_users: true,
      },
    })
    await signInForged(app, made.id, city.organizations.alder)
    const listAccounts = () =>
      app.state
        .as(systemScope)
        .selectFrom('account')
        .selectAll()
        .where('providerId', '=', `oidc:${made.id}`)
        .execute()
    expect(await listAccounts()).toHaveLength(1)
    const without = readProblem(
      await send(app, city.admin, changeSignInProvider, {
        params: { provider_id: made.id },
        body: { issuer: second.issuer },
      }),
    )
    expect([without.status, without.issues?.[0]?.path]).toEqual([422, 'body.client_secret'])
    expect(
      await call(app, city.admin, changeSignInProvider, {
        params: { provider_id: made.id },
        body: { issuer: second.issuer, client_secret: '' },
      }),
    ).toMatchObject({ issuer: second.issuer, hasSecret: false, createsUsers: true })
    expect(await listAccounts()).toEqual([])
    await call(app, city.admin, deleteSignInProvider, { params: { provider_id: made.id } })
    for (const provider of [first, second]) provider.close()
  })

  it('remove a provider; its users cannot sign in any more', async () => {
    expect(
      await app.state
        .as(systemScope)
        .selectFrom('account')
        .selectAll()
        .where('providerId', '=', `oidc:${alderProvider.id}`)
        .execute(),
    ).toHaveLength(1)
    await call(app, city.admin, deleteSignInProvider, { params: { provider_id: alderProvider.id } })
    expect((await start(app, { provider_id: alderProvider.id })).to.searchParams.get('sso_error')).toBe(
      'ISSUER_UNKNOWN',
    )
    expect(
      await app.state
        .as(systemScope)
        .selectFrom('account')
        .selectAll()
        .where('providerId', '=', `oidc:${alderProvider.id}`)
        .execute(),
    ).toEqual([])
    expect(
      await app.state
        .as(systemScope)
        .selectFrom('user')
        .selectAll()
        .where('email', '=', 'new@alder.example')
        .execute(),
    ).toHaveLength(1)
  })
})

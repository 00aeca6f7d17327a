import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { openTestApp, readProblem, request, type TestApp } from '../app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const get = (url: string) => request(app, { method: 'GET', url })

describe('a health check', () => {
  it.each(
    ['', '/v2', '/internal', '/apipy'].flatMap((prefix) => [
      ...(prefix ? [prefix, `${prefix}/`] : []),
      `${prefix}/health`,
      `${prefix}/ping`,
    ]),
  )('%s', async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ status: 'ok', version: '48.68.0' })
    expect(response.headers['x-api-version']).toBe('48.68.0')
  })

  it('may be sent as POST by legacy clients, and its response has the success flag', async () => {
    const response = await request(app, { method: 'POST', url: '/apipy/health', body: {} })
    expect(response.json()).toMatchObject({ success: true, status: 'ok', version: '48.68.0' })
  })

  it.each([
    '/v2/users/me',
    '/v2/nothing',
    '/api/auth/get-session',
    '/',
    '/trips',
    '/v2/openapi.json',
    '/v2/docs/',
  ])('a health check has the version header of every response, such as %s', async (url) => {
    expect((await get(url)).headers['x-api-version']).toBe('48.68.0')
  })
})

describe('an unknown address', () => {
  it.each([
    '/v2/nothing',
    '/internal/nothing',
    '/apipy/nothing',
    '/mds/nothing',
    '/external/routes',
    '/cds/zones',
    '/api/else',
    '/v2/regions/a/b/c',
    '/health/more',
  ])('%s is a problem in JSON with an id to quote', async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toMatch(/^application\/json/)
    expect(readProblem(response)).toMatchObject({
      success: false,
      code: 'not_found',
      status: 404,
      title: 'Not Found',
      detail: expect.stringContaining(url),
    })
  })

  it('gets a problem with a unique id', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => readProblem(await get('/v2/nothing')).id),
    )
    expect(new Set(ids).size).toBe(20)
  })

  it('is a screen of the web app outside of the API', async () => {
    for (const url of ['/', '/trips', '/regions/alder/geographies?layer=1']) {
      const response = await get(url)
      expect([response.statusCode, response.headers['content-type'], response.body]).toEqual([
        200,
        expect.stringMatching(/^text\/html/),
        expect.stringContaining('<title>Publicway</title>'),
      ])
    }
    expect((await get('/assets/gone.js')).statusCode).toBe(404)
  })

  it.each([
    ['a body that is not valid JSON', '{"email":'],
    ['a body that is no object', '"text"'],
    ['no body', undefined],
  ])('%s is an error of the client, not of the server', async (_, payload) => {
    const response = await app.http.inject({
      method: 'POST',
      url: '/v2/trips/spatial',
      headers: { 'content-type': 'application/json' },
      ...(payload === undefined ? {} : { payload }),
    })
    expect([400, 401, 422]).toContain(readProblem(response).status)
  })
})

describe('the API description', () => {
  interface Operation {
    operationId: string
    'x-permission': string
    parameters: { name: string; in: string; required: boolean }[]
    responses: Record<string, unknown>
    requestBody?: unknown
  }
  let document: {
    openapi: string
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, unknown> }
  }
  beforeAll(async () => {
    document = (await get('/v2/openapi.json')).json()
  })

  it('is OpenAPI 3.1 with every endpoint, permission and prefix', () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    const documented = Object.entries(document.paths)
      .filter(([path]) => !path.startsWith('/api/auth'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    const meant = [...endpoints.values()].flatMap(({ method, path, prefixes }) =>
      prefixes.map((prefix) => `${method} ${prefix}${path}`),
    )
    expect(documented.toSorted()).toEqual(meant.toSorted())
    expect(endpoints.size).toBeGreaterThan(40)
    for (const { method, path, prefixes, permission, request } of endpoints.values())
      for (const prefix of prefixes) {
        const operation = document.paths[prefix + path]?.[method.toLowerCase()]
        expect(operation?.['x-permission']).toBe(permission)
        expect(operation?.responses).toHaveProperty('200')
        expect(operation?.requestBody === undefined).toBe(request.body === undefined)
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        expect(
          operation?.parameters
            .filter((parameter) => parameter.in === 'path')
            .map((parameter) => parameter.name),
        ).toEqual(names)
      }
  })

  it('has an id of its own for each operation, and no dangling reference', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name as string,
    )
    expect(references.length).toBeGreaterThan(20)
    for (const name of new Set(references)) expect(document.components.schemas).toHaveProperty(name)
  })

  it('is shown on a page without external resources', async () => {
    const first = await get('/v2/docs')
    const page = first.statusCode === 200 ? first : await get(String(first.headers['location']))
    expect([page.statusCode, page.headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/^text\/html/),
    ])
    expect(page.body).toContain('/v2/openapi.json')
    expect(page.body.replaceAll(/https?:\/\/(?:www\.w3\.org|localhost)/g, '')).not.toMatch(
      /(?:src|href)="https?:/,
    )
    expect(String(page.headers['content-security-policy'])).not.toMatch(/https?:/)
  })
})

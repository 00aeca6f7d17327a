import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLayer, previewBoundaries } from '#contract/boundary-files.ts'
import { deleteLayer } from '#contract/geography.ts'
import { getHealth } from '#contract/identity.ts'
import { downloadSetAside } from '#contract/imports.ts'
import { listRegions } from '#contract/regions.ts'
import { ApiError } from './api-error.ts'
import { call } from './client.ts'
import { fakeServer, ErrorResponse } from './test-server.ts'
import { hasVersionMismatch, sessionEnd } from './signals.ts'

const uuid = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'
const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await promise.catch((caught: unknown) => caught)
  if (!(error instanceof ApiError)) throw new Error('no ApiError')
  return error
}

beforeEach(() => hasVersionMismatch.write(false))
afterEach(() => vi.unstubAllGlobals())

describe('call', () => {
  it('sends path, query and body of the endpoint', async () => {
    const { requests } = fakeServer({
      'GET /v2/regions': () => ({ items: [], total: 0, page: 2, size: 10 }),
      'POST /v2/regions/port-meridian/layers': () => ({ layer: {}, notes: [] }),
    })
    expect(await call(listRegions, { query: { page: 2, text: '' } })).toEqual({
      items: [],
      total: 0,
      page: 2,
      size: 10,
    })
    await call(createLayer, {
      params: { region_id: 'port-meridian' },
      body: { layer_name: 'Wards', upload_uuid: uuid, name_property: null },
    })
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v2/regions',
      'POST /v2/regions/port-meridian/layers',
    ])
    expect(requests[0]?.query.toString()).toBe('page=2')
    expect(requests[1]?.body).toEqual({ layer_name: 'Wards', upload_uuid: uuid, name_property: null })
  })

  it('uses the prefix of the endpoint', async () => {
    const { requests } = fakeServer({ 'GET /v2/health': () => ({ status: 'ok', version: '1' }) })
    await call(getHealth, {})
    expect(requests[0]?.path).toBe('/v2/health')
  })

  it('sends files unchanged and reads files as bytes', async () => {
    const { requests } = fakeServer({
      'POST /v2/regions/r/shapes/preview': () => ({}),
      [`GET /v2/regions/r/imports/${uuid}/rejected`]: () => 'line',
    })
    const file = new File(['{}'], 'wards.geojson')
    await call(previewBoundaries, { params: { region_id: 'r' }, query: { file_name: file.name }, body: file })
    expect(requests[0]?.body).toBe(file)
    expect(await call(downloadSetAside, { params: { region_id: 'r', import_uuid: uuid } })).toBeInstanceOf(
      Uint8Array,
    )
  })
})

describe('errors', () => {
  it('contain the detail from the server, the id to quote and the request', async () => {
    fakeServer({
      [`DELETE /v2/regions/r/layers/${uuid}`]: () =>
        new ErrorResponse(409, 'A policy uses this layer', 'conflict'),
    })
    const error = await failure(
      call(deleteLayer, { params: { region_id: 'r', shape_layer_uuid: uuid }, query: {} }),
    )
    expect(error).toMatchObject({
      message: 'A policy uses this layer',
      status: 409,
      id: 'quote-me',
      method: 'DELETE',
      url: `/v2/regions/r/layers/${uuid}`,
    })
  })

  it('without a detail have the text of their status', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }))
    expect(await failure(call(listRegions, { query: {} }))).toMatchObject({
      message: 'Bad Gateway',
      id: null,
      body: '<html>',
    })
    vi.stubGlobal('fetch', async () => new Response('', { status: 418 }))
    expect((await failure(call(listRegions, { query: {} }))).message).toBe('API Error')
  })

  it('distinguish aborted calls from an unreachable server', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new DOMException('x', 'AbortError')))
    const aborted = await failure(call(listRegions, { query: {} }))
    expect([aborted.message, aborted.isAborted]).toEqual(['Request aborted', true])
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await failure(call(listRegions, { query: {} }))).toMatchObject({ status: 0, isAborted: false })
  })
})

describe('session and version', () => {
  it.each([
    [new ErrorResponse(401, 'Unauthorized'), 'expired'],
    [new ErrorResponse(403, 'Invalid user'), 'refused'],
    [new ErrorResponse(403, 'Could not validate credentials'), undefined],
    [new ErrorResponse(403, 'Forbidden'), undefined],
    [new ErrorResponse(404, 'Invalid user'), undefined],
  ])('%o ends the session: %s', async (errorResponse, reason) => {
    fakeServer({ 'GET /v2/regions': () => errorResponse })
    sessionEnd.write(null)
    await failure(call(listRegions, { query: {} }))
    expect(sessionEnd.read()?.reason).toBe(reason)
  })

  it.each([
    [403, 'Invalid user', 'refused'],
    [403, 'Could not validate credentials', 'refused'],
    [500, 'Could not validate credentials', undefined],
    [403, 'Forbidden', undefined],
  ])('a legacy call that fails with %d %s ends the session: %s', async (status, detail, reason) => {
    const legacy = { ...listRegions, prefixes: ['/apipy'] } as unknown as typeof listRegions
    fakeServer({ 'GET /apipy/regions': () => new ErrorResponse(status, detail) })
    sessionEnd.write(null)
    await failure(call(legacy, { query: {} }))
    expect(sessionEnd.read()?.reason).toBe(reason)
  })

  it('each end is a new object', async () => {
    fakeServer({ 'GET /v2/regions': () => new ErrorResponse(401, 'Unauthorized') })
    await failure(call(listRegions, { query: {} }))
    const first = sessionEnd.read()
    await failure(call(listRegions, { query: {} }))
    expect(sessionEnd.read()).not.toBe(first)
  })

  it('detects a server of another version', async () => {
    fakeServer({ 'GET /v2/regions': () => ({}) })
    await call(listRegions, { query: {} })
    expect(hasVersionMismatch.read()).toBe(false)
    vi.stubGlobal('fetch', async () => new Response('{}', { headers: { 'x-api-version': '49.0.0' } }))
    await call(listRegions, { query: {} })
    expect(hasVersionMismatch.read()).toBe(true)
  })
})

import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { RawResponse } from '#server/http/route.ts'
import { makeFeedBody, makeFeedError, sendFeed } from './send-feed.ts'

const body = makeFeedBody({ a: 1 })
const sent = (headers: Record<string, string> = {}) =>
  sendFeed(new Headers(headers), () => Promise.resolve(body))

test('A feed may be cached by everybody for a minute', async () => {
  const response = await sent()
  expect([
    response.status,
    response.headers['cache-control'],
    response.headers['access-control-allow-origin'],
    response.headers['content-type'],
    response.headers['etag'],
  ]).toEqual([200, 'public, max-age=60', '*', 'application/vnd.mds+json;version=2.0', body.etag])
})

test('A feed is compressed for clients that accept it, with the same ETag', async () => {
  const long = makeFeedBody({ text: 'x'.repeat(5000) })
  const sendWith = (encoding: string) =>
    sendFeed(new Headers({ 'accept-encoding': encoding }), () => Promise.resolve(long))
  const compressed = await sendWith('br, gzip')
  expect([
    compressed.headers['content-encoding'],
    compressed.headers['etag'],
    compressed.headers['vary'],
  ]).toEqual(['gzip', long.etag, 'Accept, Accept-Encoding'])
  expect(gunzipSync(compressed.body as Buffer).equals(long.bytes)).toBe(true)
  expect((await sendWith('br')).headers).not.toHaveProperty('content-encoding')
  expect((await sent({ 'accept-encoding': 'gzip' })).headers).not.toHaveProperty('content-encoding')
})

test.each([
  [body.etag, 304],
  [body.etag.replace('W/', ''), 304],
  [`"x", ${body.etag}`, 304],
  ['*', 304],
  ['"x"', 200],
])('A feed requested with If-None-Match %s is %i', async (etag, status) => {
  const response = await sent({ 'if-none-match': etag })
  expect([response.status, response.body === null]).toEqual([status, status === 304])
})

test('A feed is refused in unsupported versions, and if it does not exist', async () => {
  expect((await sent({ accept: 'application/vnd.mds+json;version=0.4' })).status).toBe(406)
  expect(
    (
      await sendFeed(
        new Headers({ accept: 'application/vnd.mds+json;version=1.2' }),
        () => Promise.resolve(body),
        ['2.0'],
      )
    ).status,
  ).toBe(406)
  const nothing = await sendFeed(new Headers(), () => Promise.resolve(null))
  expect([nothing.status, JSON.parse(String(nothing.body))]).toEqual([
    404,
    {
      error: 'not_found',
      error_description: expect.any(String),
      error_details: [],
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
    },
  ])
  const wrong = makeFeedError(400, 'bad_param', 'no')
  expect(await sendFeed(new Headers(), () => Promise.resolve(wrong))).toBe(wrong)
  expect(wrong).toBeInstanceOf(RawResponse)
})

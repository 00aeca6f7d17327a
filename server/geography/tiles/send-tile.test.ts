import { expect, test } from 'vitest'
import { sendTile } from './send-tile.ts'

const tile = { gzipped: Buffer.from('x'), etag: '"e"' }
test('sendTile sends bytes, then 304', () => {
  expect(sendTile(tile, new Headers(), 'viewer')).toMatchObject({
    status: 200,
    headers: {
      etag: '"e"',
      'content-encoding': 'gzip',
      'content-type': 'application/vnd.mapbox-vector-tile',
      'cache-control': expect.stringMatching(/^private/),
    },
  })
  expect(sendTile(tile, new Headers({ 'if-none-match': '"e"' }), 'viewer')).toMatchObject({
    status: 304,
    body: null,
  })
  expect(sendTile(tile, new Headers({ 'if-none-match': '"other"' }), 'viewer')).toMatchObject({ status: 200 })
  expect(sendTile(tile, new Headers(), 'everybody').headers).toMatchObject({
    'cache-control': expect.stringMatching(/^public/),
  })
  expect(sendTile(null, new Headers(), 'viewer')).toMatchObject({ status: 204, body: null })
  expect(sendTile(tile, new Headers(), 'versioned').headers).toMatchObject({
    'cache-control': 'private, max-age=31536000, immutable',
  })
  expect(sendTile(tile, new Headers(), 'changing').headers['cache-control']).toBe('no-store')
})

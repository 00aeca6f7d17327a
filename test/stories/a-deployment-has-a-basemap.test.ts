import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { getBasemap } from '#contract/basemap.ts'
import { openBasemap } from '#server/basemap/open-basemap.ts'
import { SettingError } from '#server/config.ts'
import { call, openTestApp, readProblem, request, type TestApp } from '../app.ts'
import { writePmtiles } from '../pmtiles-writer.ts'
import { positions } from '../positions.ts'

const folder = fs.mkdtempSync(path.join(tmpdir(), 'publicway-tiles-'))
const file = path.join(folder, 'city.pmtiles')
const sea: GeoJSON.Feature = {
  type: 'Feature',
  properties: {},
  geometry: { type: 'Polygon', coordinates: [positions('-170 -60, 170 -60, 170 60, -170 60, -170 -60')] },
}
const bytes = writePmtiles({ layers: { water: [sea], roads: [sea] }, attribution: '© Somebody' })
let app: TestApp
beforeAll(async () => {
  fs.writeFileSync(file, bytes)
  app = await openTestApp(undefined, { BASEMAP_PMTILES: file })
})
afterAll(async () => {
  await app.close()
  fs.rmSync(folder, { recursive: true })
})

const getTiles = (headers: Record<string, string>, url = '/basemap/tiles.pmtiles') =>
  request(app, { method: 'GET', url, headers })

test('the basemap is public', async () => {
  const basemap = await call(app, null, getBasemap)
  expect(basemap).toEqual({
    kind: 'tiles',
    url: expect.stringMatching(/^\/basemap\/tiles\.pmtiles\?v=[\w-]+$/),
    attribution: '© Somebody',
    layers: ['water', 'roads'],
    min_zoom: 0,
    max_zoom: 0,
    bounds: [-180, -85, 180, 85],
  })
})

describe('the basemap file', () => {
  it('is sent in the requested ranges, unchanged', async () => {
    const first = await getTiles({ range: 'bytes=0-126', 'accept-encoding': 'gzip, br' })
    expect([
      first.statusCode,
      first.headers['content-range'],
      first.headers['content-encoding'],
      first.headers['accept-ranges'],
    ]).toEqual([206, `bytes 0-126/${bytes.length}`, undefined, 'bytes'])
    expect(first.rawPayload).toEqual(bytes.subarray(0, 127))
    expect((await getTiles({ range: 'bytes=100-999999' })).rawPayload).toEqual(bytes.subarray(100))
    expect((await getTiles({ range: 'bytes=-10' })).rawPayload).toEqual(bytes.subarray(-10))
    expect(
      gunzipSync(
        (await getTiles({ range: `bytes=${127}-${126 + Number(bytes.readBigUInt64LE(16))}` })).rawPayload,
      ).length,
    ).toBeGreaterThan(4)
  })

  it('is not sent again to clients that have it', async () => {
    const { headers } = await getTiles({ range: 'bytes=0-9' })
    const etag = String(headers['etag'])
    expect((await getTiles({ range: 'bytes=0-9', 'if-none-match': etag })).statusCode).toBe(304)
    expect((await getTiles({ range: 'bytes=0-9', 'if-range': etag })).statusCode).toBe(206)
  })

  it.each([
    [{ range: `bytes=${bytes.length}-` }, 416],
    [{ range: 'bytes=0-1,5-6' }, 416],
    [{ range: 'rows=1-2' }, 416],
    [{}, 400],
    [{ range: 'bytes=0-9', 'if-range': '"another"' }, 400],
  ])('the basemap file has no part for %o', async (headers, status) => {
    const response = await getTiles(headers as Record<string, string>)
    expect([response.statusCode, response.headers['content-range']]).toEqual([
      status,
      status === 416 ? `bytes */${bytes.length}` : undefined,
    ])
    expect(response.json<{ detail: string }>().detail).toContain(
      status === 416 ? 'outside the file' : 'Range',
    )
  })

  it('is the only file that can be read', async () => {
    for (const url of [
      '/basemap/other.pmtiles',
      '/basemap/..%2fstate',
      '/basemap/tiles.pmtiles/../../secret.key',
    ])
      expect([url, (await getTiles({ range: 'bytes=0-9' }, url)).statusCode]).toEqual([url, 404])
  })

  it('may be replaced or removed while the server runs; without it, maps show only the layers of the region', async () => {
    const before = await call(app, null, getBasemap)
    fs.writeFileSync(
      `${file}.next`,
      writePmtiles({ layers: { places: [sea] }, attribution: '© Somebody else' }),
    )
    fs.renameSync(`${file}.next`, file)
    const after = await call(app, null, getBasemap)
    expect(after).toMatchObject({ attribution: '© Somebody else', layers: ['places'] })
    expect(JSON.stringify(after)).not.toContain(before.kind === 'tiles' ? before.url : '-')
    fs.rmSync(file)
    expect(await call(app, null, getBasemap)).toEqual({ kind: 'embedded' })
    expect(readProblem(await getTiles({ range: 'bytes=0-9' })).status).toBe(503)
    fs.writeFileSync(file, bytes)
    expect((await getTiles({ range: 'bytes=0-9' })).statusCode).toBe(206)
  })
})

describe('a server does not start and names the reason if the basemap file', () => {
  const layers = { water: [sea] }
  it.each<[string, Buffer | null, RegExp]>([
    ['does not exist', null, /there is no such file/],
    ['is something else', Buffer.from('PK\u0003\u0004'.repeat(100)), /it is not PMTiles/],
    ['is of another version', writePmtiles({ layers, wrong: { 7: 2 } }), /version 2; version 3 is read/],
    ['contains images', writePmtiles({ layers, wrong: { 99: 2 } }), /contains images/],
    [
      'is compressed in a way that no browser reads',
      writePmtiles({ layers, wrong: { 98: 4 } }),
      /tiles are packed with Zstandard/,
    ],
    ['is truncated', bytes.subarray(0, bytes.length - 5), /is truncated/],
    ['is shorter than its header', bytes.subarray(0, 50), /it is not PMTiles/],
    [
      'has an unreadable description',
      writePmtiles({ layers, description: Buffer.from('xxxx') }),
      /description cannot be read/,
    ],
  ])('%s', async (_, content, text) => {
    const wrong = path.join(folder, 'wrong.pmtiles')
    fs.rmSync(wrong, { force: true })
    if (content) fs.writeFileSync(wrong, content)
    const error: unknown = await openBasemap(
      { basemapPmtiles: wrong, basemapStyleUrl: null },
      () => undefined,
    ).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SettingError)
    expect((error as Error).message).toMatch(text)
    expect((error as Error).message).toMatch(/^BASEMAP_PMTILES names [^\n]+$/)
  })
})

test('a style of another server is returned as configured, without a request to it', async () => {
  const basemap = await openBasemap(
    { basemapPmtiles: null, basemapStyleUrl: 'https://maps.example/{scheme}.json' },
    () => undefined,
  )
  expect(await basemap.find()).toEqual({ kind: 'style', url: 'https://maps.example/{scheme}.json' })
  expect(
    await (await openBasemap({ basemapPmtiles: null, basemapStyleUrl: null }, () => undefined)).find(),
  ).toEqual({ kind: 'embedded' })
})

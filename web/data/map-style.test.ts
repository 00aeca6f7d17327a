import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetchMapStyle, MapStyleError, parseMapStyle } from './map-style.ts'

const url = 'https://maps.example/styles/city/style.json'
const style = (fields: object): string => JSON.stringify({ version: 8, sources: {}, layers: [], ...fields })
const getError = (text: string): unknown => {
  try {
    return parseMapStyle(text, url)
  } catch (error) {
    return error instanceof MapStyleError ? [error.reason, error.host] : error
  }
}
afterEach(() => vi.unstubAllGlobals())

describe('a style', () => {
  it('has absolute URLs, whatever their notation was', () => {
    const sources = {
      a: { type: 'vector', tiles: ['/t/{z}/{x}/{y}.pbf', '../u/{z}/{x}/{y}'] },
      b: { type: 'vector', url: 'tiles.json' },
      c: { type: 'vector', url: 'pmtiles:///c.pmtiles' },
      d: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } },
    }
    expect(
      parseMapStyle(
        style({
          sources,
          sprite: 'sprite',
          glyphs: '/fonts/{fontstack}/{range}.pbf',
          layers: [{ id: 'x', type: 'background' }],
          terrain: {},
        }),
        url,
      ),
    ).toEqual({
      version: 8,
      sprite: 'https://maps.example/styles/city/sprite',
      glyphs: 'https://maps.example/fonts/{fontstack}/{range}.pbf',
      layers: [{ id: 'x', type: 'background' }],
      sources: {
        a: {
          type: 'vector',
          tiles: ['https://maps.example/t/{z}/{x}/{y}.pbf', 'https://maps.example/styles/u/{z}/{x}/{y}'],
        },
        b: { type: 'vector', url: 'https://maps.example/styles/city/tiles.json' },
        c: { type: 'vector', url: 'pmtiles://https://maps.example/c.pmtiles' },
        d: sources.d,
      },
    })
  })

  it.each([
    '<html>',
    '[]',
    'null',
    style({ version: 7 }),
    style({ layers: {} }),
    style({ layers: [{ id: 1 }] }),
    style({ sources: null }),
    style({ sources: { a: 'x' } }),
  ])('is refused: %s', (text) => expect(getError(text)).toEqual(['no_style', 'maps.example']))

  it.each([
    [{ sources: { a: { url: 'https://other.example/t.json' } } }, 'other.example'],
    [{ sources: { a: { tiles: ['http://maps.example/{z}'] } } }, 'maps.example'],
    [{ glyphs: '//fonts.example/{range}' }, 'fonts.example'],
    [{ sprite: [{ id: 'a', url: 'https://s.example/x' }] }, 's.example'],
    [{ sources: { a: { url: 'mapbox://x' } } }, 'x'],
  ])('that refers to another server names it: %j', (fields, host) =>
    expect(getError(style(fields))).toEqual(['other_host', host]),
  )
})

describe('the server', () => {
  const mockFetch = (respond: () => Promise<Response>) => {
    const fetched = vi.fn<(address: string, init: RequestInit) => Promise<Response>>(respond)
    vi.stubGlobal('fetch', fetched)
    return fetched
  }

  it('receives no cookies', async () => {
    const fetched = mockFetch(async () => new Response(style({})))
    expect(await fetchMapStyle(url, new AbortController().signal)).toMatchObject({ version: 8 })
    expect(fetched.mock.calls[0]?.[1].credentials).toBe('omit')
  })

  it.each([
    ['is unreachable', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['returns an error', async () => new Response('no', { status: 503 })],
  ])('%s', async (_, respond) => {
    mockFetch(respond)
    await expect(fetchMapStyle(url, new AbortController().signal)).rejects.toMatchObject({
      reason: 'unreachable',
      host: 'maps.example',
    })
  })
})

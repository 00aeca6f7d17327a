import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWebApp } from './web-app.ts'

const webRoot = fs.mkdtempSync(path.join(tmpdir(), 'publicway-web-'))
let production: FastifyInstance
let development: FastifyInstance
beforeAll(async () => {
  fs.writeFileSync(path.join(webRoot, 'index.html'), '<!doctype html><title>Publicway</title>')
  fs.writeFileSync(path.join(webRoot, 'live.webmanifest'), '{"start_url":"live"}')
  fs.mkdirSync(path.join(webRoot, '.vite'))
  fs.writeFileSync(
    path.join(webRoot, '.vite', 'manifest.json'),
    JSON.stringify({
      'index.html': { file: 'assets/index.js', name: 'index', isEntry: true },
      '_frame.js': { file: 'assets/frame.js', name: 'frame', css: ['assets/frame.css'] },
      'web/trips.tsx': { file: 'assets/trips.js', name: 'trips' },
    }),
  )
  fs.mkdirSync(path.join(webRoot, 'assets'))
  for (const [name, text] of [
    ['a.js', 'plain'],
    ['a.js.br', 'brotli'],
    ['a.js.gz', 'gzipped'],
  ] as const)
    fs.writeFileSync(path.join(webRoot, 'assets', name), text)
  production = await openWebApp(webRoot, () => undefined, { development: false, trustedProxies: [] })
  development = await openWebApp(webRoot, () => undefined, { development: true, trustedProxies: [] })
})
afterAll(async () => {
  await production.close()
  await development.close()
  fs.rmSync(webRoot, { recursive: true })
})

const status = async (app: FastifyInstance, url: string): Promise<number> =>
  (await app.inject({ url })).statusCode

describe('pages', () => {
  it('are the same document at all paths', async () => {
    for (const url of ['/', '/login', '/alder/mobility/maps/trips?from=x', '/developers', '/device']) {
      const response = await production.inject({ url })
      expect([url, response.statusCode, response.headers['content-type']]).toEqual([
        url,
        200,
        'text/html; charset=utf-8',
      ])
    }
  })

  it('for developers exist only in development, in all encodings of their path', async () => {
    for (const url of [
      '/dev',
      '/dev/',
      '/dev/gallery',
      '/dev/mail',
      '/dev?x',
      '/DEV/gallery',
      '/%64ev/gallery',
      '/dev%2Fgallery',
      '//dev/gallery',
      '/dev%5Cgallery',
      '/dev/%E0%A4%A',
    ])
      expect([url, await status(production, url)]).toEqual([
        url,
        expect.toSatisfy((code: number) => code === 404 || code === 400),
      ])
    expect(await status(development, '/dev/gallery')).toBe(200)
  })

  it('are not at paths of the API, in all encodings', async () => {
    for (const url of ['/mds', '/MDS/x', '/%6Dds/x', '//mds/x', '/mds%2Fx', '/mds;x', '/Internal/x', '/v2;x'])
      expect([
        url,
        (await production.inject({ url })).headers['content-type'],
        await status(production, url),
      ]).toEqual([url, expect.stringContaining('application/json'), 404])
    expect(await status(production, '/mdsville/login')).toBe(200)
  })

  it('of the mobile live map have a manifest per region', async () => {
    const response = await production.inject({ url: '/alder/mobile/live.webmanifest' })
    expect([
      response.statusCode,
      response.headers['content-type'],
      response.headers['cache-control'],
      response.json(),
    ]).toEqual([
      200,
      expect.stringMatching(/^application\/manifest\+json/),
      'no-cache',
      { start_url: 'live' },
    ])
    expect(await status(production, '/alder/other/live.webmanifest')).toBe(404)
    // Manifests may only come from this server.
    expect(response.headers['content-security-policy']).toMatch(/default-src 'self'/)
  })

  it('are served compressed if the build compressed them', async () => {
    const requestAsset = async (encoding: string) => {
      const { headers, body } = await production.inject({
        url: '/assets/a.js',
        headers: { 'accept-encoding': encoding },
      })
      return [headers['content-encoding'], body, headers['cache-control'], headers['content-type']]
    }
    const cacheControl = 'public, max-age=31536000, immutable'
    const type = 'application/javascript; charset=utf-8'
    expect([await requestAsset('gzip, br'), await requestAsset('gzip'), await requestAsset('')]).toEqual([
      ['br', 'brotli', cacheControl, type],
      ['gzip', 'gzipped', cacheControl, type],
      [undefined, 'plain', cacheControl, type],
    ])
  })

  it('announce the files of the frame in early hints, but not to visitors who must sign in', async () => {
    const getLink = async (cookie: string) =>
      (await production.inject({ url: '/alder/mobility', headers: { cookie } })).headers['link']
    expect([
      await getLink('a=1; publicway.session_token=x'),
      await getLink('__Secure-publicway.session_token=x'),
      await getLink('a=publicway.session_token'),
      await getLink(''),
    ]).toEqual([
      ...Array.from(
        { length: 2 },
        () =>
          '</assets/frame.js>; rel=modulepreload, </assets/frame.css>; rel=preload; as=style; crossorigin',
      ),
      undefined,
      undefined,
    ])
  })

  it('do not replace unknown paths of the API', async () => {
    const response = await production.inject({ url: '/v2/nothing' })
    expect([response.statusCode, response.json().code]).toEqual([404, 'not_found'])
    expect(await status(production, '/missing.js')).toBe(404)
  })
})

describe('the client address', () => {
  const addressSeen = async (trustedProxies: string[], remoteAddress: string): Promise<unknown> => {
    const app = await openWebApp(webRoot, () => undefined, { development: false, trustedProxies })
    app.get('/seen', async ({ ip, host }) => [ip, host])
    const response = await app.inject({
      url: '/seen',
      remoteAddress,
      headers: {
        host: 'requested.example',
        'x-forwarded-for': '1.1.1.1, 2.2.2.2',
        'x-forwarded-host': 'forwarded.example',
      },
    })
    await app.close()
    return response.json()
  }

  it('is that of the connection, whatever the headers say', async () => {
    for (const from of ['127.0.0.1', '9.9.9.9'])
      expect(await addressSeen([], from)).toEqual([from, 'requested.example'])
    expect(await addressSeen(['loopback'], '9.9.9.9')).toEqual(['9.9.9.9', 'requested.example'])
  })

  it('behind a trusted proxy is the one that the proxy saw', async () => {
    expect(await addressSeen(['loopback'], '127.0.0.1')).toEqual(['2.2.2.2', 'forwarded.example'])
    expect(await addressSeen(['10.0.0.0/8', '::1'], '10.1.2.3')).toEqual(['2.2.2.2', 'forwarded.example'])
  })
})

describe('the content security policy', () => {
  const policy = async (basemapStyleUrl: string | null): Promise<Map<string, string[]>> => {
    const app = await openWebApp(webRoot, () => undefined, {
      development: false,
      trustedProxies: [],
      basemapStyleUrl,
    })
    const response = await app.inject({ url: '/' })
    await app.close()
    return new Map(
      String(response.headers['content-security-policy'])
        .split(';')
        .map((directive) => directive.trim().split(' '))
        .map(([name = '', ...sources]) => [name, sources]),
    )
  }

  it('allows the server of the map style only for images, fonts and data', async () => {
    const [standard, styled] = [
      await policy(null),
      await policy('https://maps.example:8443/{scheme}/style.json?key=1'),
    ]
    for (const [name, sources] of standard)
      expect([name, styled.get(name)]).toEqual([
        name,
        ['img-src', 'font-src', 'connect-src'].includes(name)
          ? [...sources, 'https://maps.example:8443']
          : sources,
      ])
    expect(JSON.stringify([...standard])).not.toContain('maps.example')
  })
})

describe('an error of a route', () => {
  it('is hidden, logged under its id, and not cached, also for routes outside the contract', async () => {
    const logged: string[] = []
    const app = await openWebApp(webRoot, (...line) => void logged.push(JSON.stringify(line)), {
      development: false,
      trustedProxies: [],
    })
    app.get('/broken', () => Promise.reject(new Error('secret')))
    const response = await app.inject({ url: '/broken' })
    await app.close()
    expect([response.statusCode, response.headers['cache-control'], response.json().code]).toEqual([
      500,
      'no-store',
      'internal_server_error',
    ])
    expect(response.body).not.toContain('secret')
    expect(logged).toEqual([expect.stringContaining(response.json<{ id: string }>().id)])
    expect(logged[0]).toContain('secret')
  })
})

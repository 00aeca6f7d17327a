import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWebApp } from './web-app.ts'

const webRoot = fs.mkdtempSync(path.join(tmpdir(), 'publicway-web-'))
let usual: FastifyInstance
let development: FastifyInstance
beforeAll(async () => {
  fs.writeFileSync(path.join(webRoot, 'index.html'), '<!doctype html><title>Publicway</title>')
  fs.writeFileSync(path.join(webRoot, 'live.webmanifest'), '{"start_url":"live"}')
  fs.mkdirSync(path.join(webRoot, 'assets'))
  for (const [name, text] of [
    ['a.js', 'plain'],
    ['a.js.br', 'packed'],
    ['a.js.gz', 'zipped'],
  ] as const)
    fs.writeFileSync(path.join(webRoot, 'assets', name), text)
  usual = await openWebApp(webRoot, () => undefined, { development: false, trustedProxies: [] })
  development = await openWebApp(webRoot, () => undefined, { development: true, trustedProxies: [] })
})
afterAll(async () => {
  await usual.close()
  await development.close()
  fs.rmSync(webRoot, { recursive: true })
})

const status = async (app: FastifyInstance, url: string): Promise<number> =>
  (await app.inject({ url })).statusCode

describe('pages', () => {
  it('are the one page, whatever their address', async () => {
    for (const url of ['/', '/login', '/alder/mobility/maps/trips?from=x', '/developers', '/device']) {
      const answer = await usual.inject({ url })
      expect([url, answer.statusCode, answer.headers['content-type']]).toEqual([
        url,
        200,
        'text/html; charset=utf-8',
      ])
    }
  })

  it('for developers are there in development only, however the address is written', async () => {
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
      expect([url, await status(usual, url)]).toEqual([
        url,
        expect.toSatisfy((code: number) => code === 404 || code === 400),
      ])
    expect(await status(development, '/dev/gallery')).toBe(200)
  })

  it('of the mobile live map can be installed, those of each region beside their page', async () => {
    const answer = await usual.inject({ url: '/alder/mobile/live.webmanifest' })
    expect([
      answer.statusCode,
      answer.headers['content-type'],
      answer.headers['cache-control'],
      answer.json(),
    ]).toEqual([
      200,
      expect.stringMatching(/^application\/manifest\+json/),
      'no-cache',
      { start_url: 'live' },
    ])
    expect(await status(usual, '/alder/other/live.webmanifest')).toBe(404)
    // Nothing but the server itself may say what is installed.
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'self'/)
  })

  it('come compressed where that was done when they were built', async () => {
    const of = async (encoding: string) => {
      const { headers, body } = await usual.inject({
        url: '/assets/a.js',
        headers: { 'accept-encoding': encoding },
      })
      return [headers['content-encoding'], body, headers['cache-control'], headers['content-type']]
    }
    const kept = 'public, max-age=31536000, immutable'
    const type = 'application/javascript; charset=utf-8'
    expect([await of('gzip, br'), await of('gzip'), await of('')]).toEqual([
      ['br', 'packed', kept, type],
      ['gzip', 'zipped', kept, type],
      [undefined, 'plain', kept, type],
    ])
  })

  it('end where the API begins', async () => {
    const answer = await usual.inject({ url: '/v2/nothing' })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
    expect(await status(usual, '/missing.js')).toBe(404)
  })
})

describe('the asker', () => {
  const seenBy = async (trustedProxies: string[], remoteAddress: string): Promise<unknown> => {
    const app = await openWebApp(webRoot, () => undefined, { development: false, trustedProxies })
    app.get('/seen', async ({ ip, host }) => [ip, host])
    const answer = await app.inject({
      url: '/seen',
      remoteAddress,
      headers: {
        host: 'asked.example',
        'x-forwarded-for': '1.1.1.1, 2.2.2.2',
        'x-forwarded-host': 'said.example',
      },
    })
    await app.close()
    return answer.json()
  }

  it('has the address that the connection comes from, whatever it says', async () => {
    for (const from of ['127.0.0.1', '9.9.9.9'])
      expect(await seenBy([], from)).toEqual([from, 'asked.example'])
    expect(await seenBy(['loopback'], '9.9.9.9')).toEqual(['9.9.9.9', 'asked.example'])
  })

  it('behind a proxy that is named has the address that the proxy saw, and none before it', async () => {
    expect(await seenBy(['loopback'], '127.0.0.1')).toEqual(['2.2.2.2', 'said.example'])
    expect(await seenBy(['10.0.0.0/8', '::1'], '10.1.2.3')).toEqual(['2.2.2.2', 'said.example'])
  })
})

describe('the browser', () => {
  const policy = async (basemapStyleUrl: string | null): Promise<Map<string, string[]>> => {
    const app = await openWebApp(webRoot, () => undefined, {
      development: false,
      trustedProxies: [],
      basemapStyleUrl,
    })
    const answer = await app.inject({ url: '/' })
    await app.close()
    return new Map(
      String(answer.headers['content-security-policy'])
        .split(';')
        .map((each) => each.trim().split(' '))
        .map(([name = '', ...sources]) => [name, sources]),
    )
  }

  it('may ask the server of the map style for what maps need, and nothing else of it', async () => {
    const [usual, styled] = [
      await policy(null),
      await policy('https://maps.example:8443/{scheme}/style.json?key=1'),
    ]
    for (const [name, sources] of usual)
      expect([name, styled.get(name)]).toEqual([
        name,
        ['img-src', 'font-src', 'connect-src'].includes(name)
          ? [...sources, 'https://maps.example:8443']
          : sources,
      ])
    expect(JSON.stringify([...usual])).not.toContain('maps.example')
  })
})

describe('an error of a route', () => {
  it('is hidden, logged under its id, and kept by nobody, also where the route does not come from the contract', async () => {
    const logged: string[] = []
    const app = await openWebApp(webRoot, (...line) => void logged.push(JSON.stringify(line)), {
      development: false,
      trustedProxies: [],
    })
    app.get('/broken', () => Promise.reject(new Error('secret')))
    const answer = await app.inject({ url: '/broken' })
    await app.close()
    expect([answer.statusCode, answer.headers['cache-control'], answer.json().code]).toEqual([
      500,
      'no-store',
      'internal_server_error',
    ])
    expect(answer.body).not.toContain('secret')
    expect(logged).toEqual([expect.stringContaining(answer.json<{ id: string }>().id)])
    expect(logged[0]).toContain('secret')
  })
})

import type { lookup as Lookup } from 'node:dns'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardedCheck, guardedFetch } from './guarded-fetch.ts'

/** A resolver that knows these names. */
const resolver = (names: Record<string, string[]>): typeof Lookup =>
  ((host: string, _options: unknown, done: (error: Error | null, found: unknown) => void) => {
    const found = names[host]
    if (found)
      done(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    else done(new Error(`${host} is not known`), [])
  }) as unknown as typeof Lookup

interface Seen {
  path: string
  headers: http.IncomingHttpHeaders
  body: string
}

const packed: Record<string, [encoding: string, bytes: Uint8Array]> = {
  gzip: ['gzip', gzipSync('{"ok":"gzip"}')],
  br: ['br', brotliCompressSync('{"ok":"br"}')],
  deflate: ['Deflate', deflateSync('{"ok":"deflate"}')],
  bomb: ['gzip', gzipSync(Buffer.alloc(50_000_000))],
  brBomb: ['br', brotliCompressSync(Buffer.alloc(20_000_000))],
  cut: ['gzip', gzipSync(Buffer.from('a long text '.repeat(1000))).subarray(0, 40)],
  none: ['gzip', Buffer.from('no gzip at all')],
  unknown: ['zstd', Buffer.from('x')],
}
function sendPacked(name: string, response: http.ServerResponse): void {
  const [encoding, bytes] = packed[name] ?? ['identity', Buffer.from('')]
  response.writeHead(200, { 'content-encoding': encoding }).end(bytes)
}

let server: http.Server
let port = 0
const seen: Seen[] = []
beforeAll(async () => {
  server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const path = request.url ?? ''
      seen.push({ path, headers: request.headers, body })
      const to = new URL(path, 'http://x').searchParams.get('to')
      if (path.startsWith('/to')) response.writeHead(302, { location: to ?? '/' }).end()
      else if (path.startsWith('/packed/')) sendPacked(path.slice(8), response)
      else if (path === '/large') response.end(Buffer.alloc(1_000_001))
      else if (path === '/endless') response.write('a')
      else if (path.startsWith('/status/'))
        response.socket?.end(
          `HTTP/1.1 ${path.slice(8)} Odd\r\nconnection: upgrade\r\nupgrade: odd\r\ncontent-length: 0\r\n\r\n`,
        )
      else if (path === '/nothing') response.writeHead(204).end()
      else
        response
          .writeHead(200, { 'content-type': 'application/json', 'x-twice': ['a', 'b'] })
          .end('{"ok":true}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const open = guardedFetch({
  privateAddresses: true,
  lookup: resolver({
    'inside.example': ['127.0.0.1'],
    'other.example': ['127.0.0.1'],
    'cloud.example': ['169.254.169.254'],
  }),
})
const closed = guardedFetch({
  privateAddresses: false,
  lookup: resolver({
    'inside.example': ['127.0.0.1'],
    'six.example': ['::1'],
    'both.example': ['93.184.216.34', '10.0.0.1'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'cloud.example': ['169.254.169.254'],
  }),
})

describe('without private addresses', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[0:0:0:0:0:ffff:7f00:1]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://10.0.0.1/',
    'https://192.168.0.1:8443/',
    'https://169.254.169.254/latest/meta-data/',
  ])('%s is refused without a connection', async (url) => {
    await expect(closed(url)).rejects.toMatchObject({ name: 'FetchRefused', code: 'address' })
  })

  it.each(['inside.example', 'six.example', 'both.example', 'mapped.example', 'cloud.example'])(
    '%s is refused by what its name resolves to',
    async (host) => {
      await expect(closed(`https://${host}/`)).rejects.toMatchObject({ code: 'address' })
    },
  )

  it('the machine’s own name is refused by the system’s resolver too', async () => {
    await expect(guardedFetch({ privateAddresses: false })('https://localhost/')).rejects.toMatchObject({
      code: 'address',
    })
  })

  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:word@example.com/',
  ])('%s is refused', async (url) => {
    await expect(closed(url)).rejects.toMatchObject({ code: 'protocol' })
  })

  it('the server was never reached', () => expect(seen).toEqual([]))
})

describe('with servers of our own', () => {
  it('reaches exactly those, by address', async () => {
    const own = guardedFetch({ privateAddresses: false, ownOrigins: [`http://127.0.0.1:${port}`] })
    expect((await own(`http://127.0.0.1:${port}/own`)).status).toBe(200)
    await expect(own(`http://127.0.0.1:${port + 1}/`)).rejects.toThrow('must begin with https')
    await expect(own(`http://localhost:${port}/`)).rejects.toThrow('must begin with https')
    await expect(own(`http://user@127.0.0.1:${port}/`)).rejects.toThrow('must begin with https')
    await expect(own(`https://127.0.0.1:${port}/`)).rejects.toThrow('is not public')
    seen.length = 0
  })
})

describe('with private addresses', () => {
  it('fetches, with method, headers and body', async () => {
    const response = await open(`http://inside.example:${port}/asked`, {
      method: 'POST',
      headers: { authorization: 'Basic x' },
      body: new URLSearchParams({ a: 'b c' }),
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ ok: true })
    expect(response.headers.get('x-twice')).toBe('a, b')
    expect(seen.at(-1)).toMatchObject({
      path: '/asked',
      body: 'a=b+c',
      headers: {
        authorization: 'Basic x',
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      },
    })
  })

  it('still never asks where clouds keep their secrets', async () => {
    await expect(open('http://cloud.example/')).rejects.toMatchObject({ code: 'address' })
    await expect(open('http://169.254.169.254/')).rejects.toMatchObject({ code: 'address' })
  })

  it('says when a name is not known or nobody listens', async () => {
    await expect(open('http://nowhere.example/')).rejects.toThrow('nowhere.example is not known')
    await expect(open('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('ends also where the server wants to speak something else, or numbers its answer as nobody does', async () => {
    await expect(open(`http://127.0.0.1:${port}/status/101`, { timeoutMs: 5000 })).rejects.toMatchObject({
      code: 'ECONNRESET',
    })
    for (const status of [600, 999])
      expect((await open(`http://127.0.0.1:${port}/status/${status}`)).status).toBe(502)
  })

  it('an empty answer is one', async () => {
    expect((await open(`http://inside.example:${port}/nothing`)).status).toBe(204)
  })
})

describe('redirects', () => {
  it('are answered as they are unless asked for', async () => {
    const response = await open(`http://inside.example:${port}/to?to=/there`)
    expect([response.status, response.headers.get('location')]).toEqual([302, '/there'])
  })

  it('are followed so often as asked, and each hop is checked', async () => {
    const base = `http://inside.example:${port}`
    expect((await open(`${base}/to?to=/there`, { redirects: 2 })).status).toBe(200)
    await expect(
      open(`${base}/to?to=${encodeURIComponent('/to?to=/to')}`, { redirects: 1 }),
    ).rejects.toMatchObject({ code: 'redirect' })
    await expect(open(`${base}/to?to=http://cloud.example/`, { redirects: 2 })).rejects.toMatchObject({
      code: 'address',
    })
    await expect(open(`${base}/to?to=http://169.254.169.254/`, { redirects: 2 })).rejects.toMatchObject({
      code: 'address',
    })
    await expect(open(`${base}/to?to=file:///etc/passwd`, { redirects: 2 })).rejects.toMatchObject({
      code: 'protocol',
    })
  })

  it('to another host carry no credentials', async () => {
    await open(`http://inside.example:${port}/to?to=/same`, {
      redirects: 1,
      headers: { authorization: 'Bearer x' },
    })
    expect(seen.at(-1)?.headers.authorization).toBe('Bearer x')
    await open(`http://inside.example:${port}/to?to=http://other.example:${port}/there`, {
      redirects: 1,
      headers: { authorization: 'Bearer x', 'x-api-key': 'y', accept: 'text/plain' },
    })
    expect(seen.at(-1)?.headers).toMatchObject({ accept: 'text/plain' })
    expect(seen.at(-1)?.headers).not.toHaveProperty('authorization')
    expect(seen.at(-1)?.headers).not.toHaveProperty('x-api-key')
  })

  it('of a POST are not followed', async () => {
    expect(
      (await open(`http://inside.example:${port}/to?to=/there`, { method: 'POST', body: 'x', redirects: 3 }))
        .status,
    ).toBe(302)
  })
})

describe('bounds', () => {
  it('more than a megabyte is refused', async () => {
    await expect(open(`http://inside.example:${port}/large`)).rejects.toMatchObject({ code: 'size' })
    expect((await open(`http://inside.example:${port}/large`, { maxBytes: 2_000_000 })).status).toBe(200)
  })

  it('an answer that does not end is given up', async () => {
    await expect(open(`http://inside.example:${port}/endless`, { timeoutMs: 150 })).rejects.toMatchObject({
      code: 'time',
    })
  })

  it('the asker may stop it', async () => {
    await expect(
      open(`http://inside.example:${port}/endless`, { signal: AbortSignal.timeout(50) }),
    ).rejects.toThrow(/abort/i)
  })
})

describe('packed answers', () => {
  const fetchPacked = (name: string) =>
    open(`http://inside.example:${port}/packed/${name}`, { headers: { 'accept-encoding': 'gzip' } })

  it('are asked for where the asker says so, and come unpacked', async () => {
    for (const name of ['gzip', 'br', 'deflate']) {
      const response = await fetchPacked(name)
      expect(await response.json()).toEqual({ ok: name })
      expect(response.headers.get('content-encoding')).toBeNull()
    }
    expect(seen.at(-1)?.headers['accept-encoding']).toBe('gzip')
    await open(`http://inside.example:${port}/there`)
    expect(seen.at(-1)?.headers['accept-encoding']).toBe('identity')
  })

  it('are measured unpacked: a bomb is refused', async () => {
    expect(packed['bomb']?.[1].length).toBeLessThan(100_000)
    for (const name of ['bomb', 'brBomb'])
      await expect(fetchPacked(name)).rejects.toMatchObject({ code: 'size' })
  })

  it('that are cut off, none, or packed in another way are refused', async () => {
    for (const name of ['cut', 'none', 'unknown'])
      await expect(fetchPacked(name)).rejects.toMatchObject({ code: 'encoding' })
  })
})

describe('a check beforehand', () => {
  const check = guardedCheck({
    privateAddresses: false,
    lookup: resolver({
      'inside.example': ['127.0.0.1'],
      'both.example': ['93.184.216.34', '10.0.0.1'],
      'outside.example': ['93.184.216.34'],
    }),
  })
  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://inside.example/',
    'https://both.example/',
    'http://outside.example/',
    'https://a:b@outside.example/',
  ])('refuses %s', async (url) => {
    await expect(check(url)).rejects.toMatchObject({ name: 'FetchRefused' })
  })
  it('lets public ones pass, without asking them, and says which names are not known', async () => {
    await expect(check('https://outside.example/x')).resolves.toBeUndefined()
    await expect(check('https://93.184.216.34/')).resolves.toBeUndefined()
    await expect(check('https://nowhere.example/')).rejects.toThrow('not known')
  })
})

it('gives the status alone where that is all that is asked for, however long the answer', async () => {
  const slow = http.createServer((_, response) => void response.writeHead(201).write('begun'))
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const response = await open(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/`, {
    statusOnly: true,
  })
  expect([response.status, response.body]).toEqual([201, null])
  slow.closeAllConnections()
  await new Promise((resolve) => slow.close(resolve))
})

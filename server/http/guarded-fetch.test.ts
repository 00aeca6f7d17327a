import type { lookup as Lookup } from 'node:dns'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { createGuardedCheck, createGuardedFetch } from './guarded-fetch.ts'

/** Creates a DNS resolver of these names. */
const resolver = (names: Record<string, string[]>): typeof Lookup =>
  ((host: string, _options: unknown, done: (error: Error | null, callback: unknown) => void) => {
    const addresses = names[host]
    if (addresses)
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    else done(new Error(`${host} is not known`), [])
  }) as unknown as typeof Lookup

interface ReceivedRequest {
  path: string
  headers: http.IncomingHttpHeaders
  body: string
}

const compressed: Record<string, [encoding: string, bytes: Uint8Array]> = {
  gzip: ['gzip', gzipSync('{"ok":"gzip"}')],
  br: ['br', brotliCompressSync('{"ok":"br"}')],
  deflate: ['Deflate', deflateSync('{"ok":"deflate"}')],
  bomb: ['gzip', gzipSync(Buffer.alloc(50_000_000))],
  brBomb: ['br', brotliCompressSync(Buffer.alloc(20_000_000))],
  cut: ['gzip', gzipSync(Buffer.from('a long text '.repeat(1000))).subarray(0, 40)],
  none: ['gzip', Buffer.from('no gzip at all')],
  unknown: ['zstd', Buffer.from('x')],
}
function sendCompressed(name: string, response: http.ServerResponse): void {
  const [encoding, bytes] = compressed[name] ?? ['identity', Buffer.from('')]
  response.writeHead(200, { 'content-encoding': encoding }).end(bytes)
}

let server: http.Server
let port = 0
const received: ReceivedRequest[] = []
beforeAll(async () => {
  server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const path = request.url ?? ''
      received.push({ path, headers: request.headers, body })
      const to = new URL(path, 'http://x').searchParams.get('to')
      if (path.startsWith('/to')) response.writeHead(302, { location: to ?? '/' }).end()
      else if (path.startsWith('/compressed/')) sendCompressed(path.slice(12), response)
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

const open = createGuardedFetch({
  privateAddresses: true,
  lookup: resolver({
    'inside.example': ['127.0.0.1'],
    'other.example': ['127.0.0.1'],
    'cloud.example': ['169.254.169.254'],
  }),
})
const closed = createGuardedFetch({
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
    '%s is refused for the address that it resolves to',
    async (host) => {
      await expect(closed(`https://${host}/`)).rejects.toMatchObject({ code: 'address' })
    },
  )

  it('localhost is refused with the system’s resolver', async () => {
    await expect(createGuardedFetch({ privateAddresses: false })('https://localhost/')).rejects.toMatchObject(
      {
        code: 'address',
      },
    )
  })

  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:word@example.com/',
  ])('%s is refused', async (url) => {
    await expect(closed(url)).rejects.toMatchObject({ code: 'protocol' })
  })

  it('the server received no request', () => expect(received).toEqual([]))
})

describe('createGuardedFetch with own servers', () => {
  it('fetches from exactly these, identified by address', async () => {
    const own = createGuardedFetch({ privateAddresses: false, ownOrigins: [`http://127.0.0.1:${port}`] })
    expect((await own(`http://127.0.0.1:${port}/own`)).status).toBe(200)
    await expect(own(`http://127.0.0.1:${port + 1}/`)).rejects.toThrow('must begin with https')
    await expect(own(`http://localhost:${port}/`)).rejects.toThrow('must begin with https')
    await expect(own(`http://user@127.0.0.1:${port}/`)).rejects.toThrow('must begin with https')
    await expect(own(`https://127.0.0.1:${port}/`)).rejects.toThrow('is not public')
    received.length = 0
  })
})

describe('createGuardedFetch with private addresses', () => {
  it('sends method, headers and body', async () => {
    const response = await open(`http://inside.example:${port}/path`, {
      method: 'POST',
      headers: { authorization: 'Basic x' },
      body: new URLSearchParams({ a: 'b c' }),
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ ok: true })
    expect(response.headers.get('x-twice')).toBe('a, b')
    expect(received.at(-1)).toMatchObject({
      path: '/path',
      body: 'a=b+c',
      headers: {
        authorization: 'Basic x',
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      },
    })
  })

  it('still refuses addresses of cloud metadata', async () => {
    await expect(open('http://cloud.example/')).rejects.toMatchObject({ code: 'address' })
    await expect(open('http://169.254.169.254/')).rejects.toMatchObject({ code: 'address' })
  })

  it('reports unknown names and refused connections', async () => {
    await expect(open('http://nowhere.example/')).rejects.toThrow('nowhere.example is not known')
    await expect(open('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('rejects a protocol upgrade and converts an invalid status to 502', async () => {
    await expect(open(`http://127.0.0.1:${port}/status/101`, { timeoutMs: 5000 })).rejects.toMatchObject({
      code: 'ECONNRESET',
    })
    for (const status of [600, 999])
      expect((await open(`http://127.0.0.1:${port}/status/${status}`)).status).toBe(502)
  })

  it('accepts an empty response', async () => {
    expect((await open(`http://inside.example:${port}/nothing`)).status).toBe(204)
  })
})

describe('redirects', () => {
  it('are not followed by default', async () => {
    const response = await open(`http://inside.example:${port}/to?to=/there`)
    expect([response.status, response.headers.get('location')]).toEqual([302, '/there'])
  })

  it('are followed up to the limit, and each hop is checked', async () => {
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

  it('to another host send no credentials', async () => {
    await open(`http://inside.example:${port}/to?to=/same`, {
      redirects: 1,
      headers: { authorization: 'Bearer x' },
    })
    expect(received.at(-1)?.headers.authorization).toBe('Bearer x')
    await open(`http://inside.example:${port}/to?to=http://other.example:${port}/there`, {
      redirects: 1,
      headers: { authorization: 'Bearer x', 'x-api-key': 'y', accept: 'text/plain' },
    })
    expect(received.at(-1)?.headers).toMatchObject({ accept: 'text/plain' })
    expect(received.at(-1)?.headers).not.toHaveProperty('authorization')
    expect(received.at(-1)?.headers).not.toHaveProperty('x-api-key')
  })

  it('of a POST are not followed', async () => {
    expect(
      (await open(`http://inside.example:${port}/to?to=/there`, { method: 'POST', body: 'x', redirects: 3 }))
        .status,
    ).toBe(302)
  })
})

describe('limits', () => {
  it('refuses more than a megabyte', async () => {
    await expect(open(`http://inside.example:${port}/large`)).rejects.toMatchObject({ code: 'size' })
    expect((await open(`http://inside.example:${port}/large`, { maxBytes: 2_000_000 })).status).toBe(200)
  })

  it('gives up on a response that does not end', async () => {
    await expect(open(`http://inside.example:${port}/endless`, { timeoutMs: 150 })).rejects.toMatchObject({
      code: 'time',
    })
  })

  it('can be aborted', async () => {
    await expect(
      open(`http://inside.example:${port}/endless`, { signal: AbortSignal.timeout(50) }),
    ).rejects.toThrow(/abort/i)
  })
})

describe('compressed responses', () => {
  const fetchCompressed = (name: string) =>
    open(`http://inside.example:${port}/compressed/${name}`, { headers: { 'accept-encoding': 'gzip' } })

  it('are accepted if requested, and decompressed', async () => {
    for (const name of ['gzip', 'br', 'deflate']) {
      const response = await fetchCompressed(name)
      expect(await response.json()).toEqual({ ok: name })
      expect(response.headers.get('content-encoding')).toBeNull()
    }
    expect(received.at(-1)?.headers['accept-encoding']).toBe('gzip')
    await open(`http://inside.example:${port}/there`)
    expect(received.at(-1)?.headers['accept-encoding']).toBe('identity')
  })

  it('are measured decompressed: a bomb is refused', async () => {
    expect(compressed['bomb']?.[1].length).toBeLessThan(100_000)
    for (const name of ['bomb', 'brBomb'])
      await expect(fetchCompressed(name)).rejects.toMatchObject({ code: 'size' })
  })

  it('that are incomplete, invalid or of an unknown encoding are refused', async () => {
    for (const name of ['cut', 'none', 'unknown'])
      await expect(fetchCompressed(name)).rejects.toMatchObject({ code: 'encoding' })
  })
})

describe('createGuardedCheck', () => {
  const check = createGuardedCheck({
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
  it('accepts public addresses without a request, and reports unknown names', async () => {
    await expect(check('https://outside.example/x')).resolves.toBeUndefined()
    await expect(check('https://93.184.216.34/')).resolves.toBeUndefined()
    await expect(check('https://nowhere.example/')).rejects.toThrow('not known')
  })
})

test('createGuardedFetch returns only the status on request, without waiting for the body', async () => {
  const slow = http.createServer((_, response) => void response.writeHead(201).write('begun'))
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const response = await open(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/`, {
    statusOnly: true,
  })
  expect([response.status, response.body]).toEqual([201, null])
  slow.closeAllConnections()
  await new Promise((resolve) => slow.close(resolve))
})

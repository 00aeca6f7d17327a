import net from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ProblemBody } from '#contract/problem.ts'
import { openWebApp } from './web-app.ts'

let app: FastifyInstance
let port = 0
beforeAll(async () => {
  app = await openWebApp('/nowhere', () => undefined, { development: false, trustedProxies: [] })
  app.post('/echo', async ({ body }) => ({ body }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as net.AddressInfo).port
})
afterAll(() => app.close())

/** Sends raw bytes and returns everything that the server sends until it closes the connection. */
const responseTo = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const parts: Buffer[] = []
    const socket = net.connect(port, '127.0.0.1', () => void socket.write(text))
    socket.on('data', (chunk: Buffer) => parts.push(chunk))
    // Closing a connection with unread bytes causes an error.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(parts).toString()))
  })

const host = 'Host: here\r\n'
test.each([
  ['a line that is no request', 'HELLO\r\n\r\n', 400, /not valid HTTP/],
  ['an unknown method', `FETCH / HTTP/1.1\r\n${host}\r\n`, 400, /Invalid method/],
  ['an unknown version', `GET / HTTP/9.9\r\n${host}\r\n`, 400, /Invalid HTTP version/],
  ['a header without a colon', `GET / HTTP/1.1\r\n${host}nothing\r\n\r\n`, 400, /Invalid header/],
  [
    'two lengths',
    `POST /echo HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    400,
    /HTTP/,
  ],
  [
    'a length and chunks',
    `POST /echo HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    /HTTP/,
  ],
  [
    'a chunk without a size',
    `POST /echo HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n`,
    400,
    /Invalid character in chunk size/,
  ],
  ['no host', 'GET /v2/nothing HTTP/1.1\r\nConnection: close\r\n\r\n', 400, /names no host/],
  [
    'an unknown expectation',
    `GET /v2/nothing HTTP/1.1\r\n${host}Expect: nonsense\r\nConnection: close\r\n\r\n`,
    404,
    /nothing at GET/,
  ],
  ['headers of 20 KB', `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, /larger than 16 KB/],
  ['an address of 20 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431, /larger than 16 KB/],
])('%s is answered as a problem with an id', async (_name, request, status, detail) => {
  const response = await responseTo(request)
  const [head = '', text = ''] = response.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(head).toMatch(/content-type: application\/json/i)
  expect(ProblemBody.parse(JSON.parse(text))).toMatchObject({
    status,
    detail: expect.stringMatching(detail),
    id: expect.stringMatching(/^[0-9a-f]{8}$/),
  })
})

test('The server answers the valid request before a malformed one', async () => {
  const response = await responseTo(`GET /v2/nothing HTTP/1.1\r\n${host}\r\n`.concat('\0\r\n\r\n'))
  expect(response).toContain('HTTP/1.1 ')
  for (const body of response
    .split('\r\n\r\n')
    .slice(1)
    .map((response) => response.replace(/HTTP\/1\.1[^]*$/, '')))
    expect(ProblemBody.parse(JSON.parse(body)).success).toBe(false)
})

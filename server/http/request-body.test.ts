import net from 'node:net'
import fastify, { type FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropRefusedBodies, limitSlowBodies } from './request-body.ts'

const app = fastify({ forceCloseConnections: true })
let port = 0
beforeAll(async () => {
  limitSlowBodies(app, 0.2)
  dropRefusedBodies(app)
  const read = async (request: FastifyRequest): Promise<object> => {
    if (request.headers['content-type'] !== 'application/octet-stream') return { body: request.body }
    let length = 0
    for await (const chunk of request.body as AsyncIterable<Buffer>) length += chunk.length
    return { length }
  }
  app.route({ method: 'POST', url: '/', handler: read })
  const refuse = async (): Promise<never> => {
    throw Object.assign(new Error('Not you'), { statusCode: 401 })
  }
  app.route({ method: 'POST', url: '/refused', onRequest: refuse, handler: read })
  app.route({
    method: 'POST',
    url: '/short',
    handler: async ({ body }) => {
      for await (const _ of body as AsyncIterable<Buffer>)
        throw Object.assign(new Error('Too long'), { statusCode: 413 })
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as net.AddressInfo).port
})
afterAll(() => app.close())

/** Returns the response to a body of four bytes that are sent with a delay (ms) between them. */
const drip = (type: string, delayMs: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write(
        `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: 4\r\n\r\n`,
      )
      for (const [index, char] of [...'1234'].entries())
        setTimeout(() => socket.writable && socket.write(char), index * delayMs)
    })
    socket
      .on('data', (chunk) => (text += chunk.toString()))
      .on('close', () => resolve(text))
      .on('error', reject)
  })

test('The server refuses a slow body with an error, and closes its connection', async () => {
  const reply = await drip('application/json', 150)
  expect(reply).toMatch(/^HTTP\/1.1 408 /)
  expect(reply).toContain('The body did not come within 0.2 s.')
})
test('The server accepts a body that arrives in time', async () =>
  expect(await drip('application/json', 5)).toMatch(/200 OK[^]*"body":1234/))
test('The server accepts slow files', async () =>
  expect(await drip('application/octet-stream', 150)).toMatch(/200 OK[^]*"length":4/))

/** Returns the status that a client sees if it reads the response only after sending the whole body. */
const sendAll = (path: string, type: string, megabytes: number, isChunked = false): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    const chunk = Buffer.alloc(1024 * 1024, ' ')
    const socket = net.connect(port, '127.0.0.1', async () => {
      const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${megabytes * chunk.length}`
      socket.pause()
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`)
      const send = (bytes: Uint8Array | string): Promise<unknown> =>
        new Promise((sent) => socket.write(bytes, sent))
      for (let count = 0; count < megabytes && !socket.destroyed; count++) {
        if (isChunked) await send(`${chunk.length.toString(16)}\r\n`)
        await send(chunk)
        if (isChunked) await send('\r\n')
      }
      if (isChunked) await send('0\r\n\r\n')
      socket.on('data', (bytes) => (text += bytes.toString())).resume()
      setTimeout(() => socket.end(), 100)
    })
    socket
      .on('close', () => resolve(text.slice(9, 12)))
      .on('error', (error) => (text = `         ${(error as NodeJS.ErrnoException).code}`))
  })

test.each([
  ['by its headers', '/refused', 'application/json', '401'],
  ['as too long for the call', '/', 'application/json', '413'],
  ['while a file is read', '/short', 'application/octet-stream', '413'],
])('The server sends the error of a long body that is refused %s', async (_, path, type, status) => {
  expect(await sendAll(path, type, 57)).toBe(status)
  expect(await sendAll(path, type, 57, true)).toBe(status)
})
test('The server closes the connection of a refused body that does not end', async () =>
  expect(await sendAll('/refused', 'application/json', 1000, true)).toMatch(/^(ECO|EPI)/))

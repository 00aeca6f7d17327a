import net from 'node:net'
import fastify, { type FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limitSlowBodies } from './limit-slow-bodies.ts'

const app = fastify({ forceCloseConnections: true })
let port = 0
beforeAll(async () => {
  limitSlowBodies(app, 0.2)
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  const read = async (request: FastifyRequest): Promise<object> => {
    if (request.headers['content-type'] !== 'application/octet-stream') return { body: request.body }
    let length = 0
    for await (const piece of request.body as AsyncIterable<Buffer>) length += piece.length
    return { length }
  }
  app.route({ method: 'POST', url: '/', handler: read })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as net.AddressInfo).port
})
afterAll(() => app.close())

/** What is answered to a body of four bytes that come so far apart, ms. */
const drip = (type: string, apart: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: 4\r\n\r\n`)
      for (const [at, sign] of [...'1234'].entries()) setTimeout(() => socket.writable && socket.write(sign), at * apart)
    })
    socket.on('data', (piece) => (text += piece.toString())).on('close', () => resolve(text)).on('error', reject)
  })

it('a body that drips is refused in words, and its connection closed', async () => {
  const answer = await drip('application/json', 150)
  expect(answer).toMatch(/^HTTP\/1.1 408 /)
  expect(answer).toContain('The body did not come within 0.2 s.')
})
it('one that comes in time is taken', async () => expect(await drip('application/json', 5)).toMatch(/200 OK[^]*"body":1234/))
it('files come at their own pace', async () => expect(await drip('application/octet-stream', 150)).toMatch(/200 OK[^]*"length":4/))

import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSms } from './open-sms.ts'
import { SentMessages } from './message.ts'

const at = new Date('2026-06-11T03:00:00Z')
const requests: {
  url: string | undefined
  authorization: string | undefined
  type: string | undefined
  body: Record<string, string>
}[] = []
let status = 201
let server: http.Server
let address = ''
beforeAll(async () => {
  server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      requests.push({
        url: request.url,
        authorization: request.headers.authorization,
        type: request.headers['content-type'],
        body: Object.fromEntries(new URLSearchParams(body)),
      })
      response
        .writeHead(status, status === 302 ? { location: '/elsewhere' } : {})
        .end('{"message":"token t0k-en"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => void (requests.length = 0))

const sms = (logged: unknown[], query = '?from=+15550100&region=eu') =>
  openSms({
    config: { smsUrl: `http://AC12:t0k-en@${address}/Messages.json${query}` },
    log: (...line) => logged.push(line),
    sentMessages: null,
    now: () => at,
  })

describe('text messages', () => {
  it('are sent as a form with account and token, as Twilio requires', async () => {
    status = 201
    const logged: unknown[] = []
    await sms(logged).send({ to: '+493012345678', text: 'código & more' })
    expect(requests).toEqual([
      {
        url: '/Messages.json?region=eu',
        authorization: `Basic ${Buffer.from('AC12:t0k-en').toString('base64')}`,
        type: expect.stringContaining('application/x-www-form-urlencoded'),
        body: { To: '+493012345678', From: '+15550100', Body: 'código & more' },
      },
    ])
    expect(logged).toEqual([])
    await sms(logged, '?from=Publicway').send({ to: '+493012345678', text: 'x' })
    expect(requests[1]?.body['From']).toBe('Publicway')
  })

  it.each([400, 500, 302])(
    'that the service answers with %i fail, and neither token nor number is logged',
    async (code) => {
      status = code
      const logged: unknown[] = []
      const failure = await sms(logged)
        .send({ to: '+493012345678', text: 'x' })
        .catch((error: unknown) => String(error))
      expect(failure).toContain('could not be sent')
      expect(requests).toHaveLength(1)
      expect(logged).toHaveLength(1)
      for (const secret of ['t0k-en', 'AC12', '+493012345678', Buffer.from('AC12:t0k-en').toString('base64')])
        expect(JSON.stringify(logged) + failure).not.toContain(secret)
    },
  )

  it('are logged if there is no service', async () => {
    const logged: unknown[] = []
    const outbox = new SentMessages()
    await openSms({
      config: { smsUrl: null },
      log: (...line) => logged.push(line),
      sentMessages: outbox,
      now: () => at,
    }).send({ to: '+15550100', text: '123456' })
    expect(logged).toEqual([['text message', { to: '+15550100', text: '123456' }]])
    expect(outbox.list()).toEqual([{ to: '+15550100', text: '123456', at }])
  })
})

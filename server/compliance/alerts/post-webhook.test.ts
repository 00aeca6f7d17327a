import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { FetchRefused, type GuardedRequest } from '#server/http/guarded-fetch.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { nextTry, retryMinutes } from './record-delivery'
import { postWebhook, type WebhookMessage } from './post-webhook.ts'
import { newSecret, openSecret, sealSecret, signatureOf } from './sign.ts'

const at = new Date('2026-05-04T12:00:00.700Z')
const to = { url: 'https://hook.example/key-1', secret: 'pwsec_x' }
const message: WebhookMessage = {
  id: 'a',
  type: 'compliance.test',
  created: at.toISOString(),
  region_id: 'alder',
  policy: null,
  records: [],
}
const answering = (status: number) => async () => new Response(null, { status })
const failing = (error: unknown) => () => Promise.reject(error)

it('posts JSON with a signature over time and body', async () => {
  let asked: GuardedRequest = {}
  await postWebhook(
    async (_, ask = {}) => {
      asked = ask
      return new Response(null, { status: 202 })
    },
    to,
    message,
    at,
  )
  expect(JSON.parse(String(asked.body))).toEqual(message)
  const hex = createHmac('sha256', 'pwsec_x').update(`1777896000.${asked.body}`).digest('hex')
  expect(asked).toMatchObject({
    method: 'POST',
    timeoutMs: 10_000,
    redirects: 0,
    statusOnly: true,
    headers: { 'content-type': 'application/json', 'publicway-signature': `t=1777896000,v1=${hex}` },
  })
  expect(signatureOf('other', at, String(asked.body))).not.toContain(hex)
})

it.each([
  ['200', answering(200), null, 200],
  ['a redirect', answering(302), 'It leads to another address (302); that is not followed.', 302],
  ['404', answering(404), 'It answered 404.', 404],
  [
    'nobody',
    failing(Object.assign(new Error('connect https://hook.example/key-1'), { code: 'ENOTFOUND' })),
    'The address could not be reached (ENOTFOUND).',
    null,
  ],
  ['something else', failing(new Error('key-1')), 'The address could not be reached.', null],
  ['silence', failing(new FetchRefused('time', 'x')), 'No answer within 10 seconds.', null],
  [
    'a private address',
    failing(new FetchRefused('address', 'x')),
    'The address leads to one that is not public; it was not asked.',
    null,
  ],
  ['plain HTTP', failing(new FetchRefused('protocol', 'x')), 'The address must begin with https://.', null],
  ['an answer too large', failing(new FetchRefused('size', 'x')), 'The answer could not be read.', null],
] as const)('tells of %s in plain words', async (_, fetch, problem, status) => {
  const outcome = await postWebhook(fetch, to, message, at)
  expect(outcome).toEqual({ problem, status })
  expect(JSON.stringify(outcome)).not.toContain('key-1')
})

it('is tried again later and later, within a day', () => {
  expect(retryMinutes.map((_, tries) => (nextTry(tries + 1, at)?.getTime() ?? 0) - at.getTime())).toEqual(
    [1, 5, 30, 120, 360, 720].map((minutes) => minutes * 60_000),
  )
  expect(nextTry(retryMinutes.length + 1, at)).toBeNull()
})

it('secrets are never the same, and open for their own subscription only', () => {
  const box = createSecretBox('ab'.repeat(32))
  const secret = newSecret()
  expect(newSecret()).not.toBe(secret)
  const sealed = sealSecret(box, 'one', secret)
  expect(openSecret(box, 'one', sealed)).toBe(secret)
  expect(() => openSecret(box, 'two', sealed)).toThrow(Error)
})

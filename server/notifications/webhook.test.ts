import { expect, test } from 'vitest'
import { FetchRefused, type GuardedRequest } from '#server/http/guarded-fetch.ts'
import { hourMs } from '#contract/period.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { maxJitter, getNextAttempt, retryDelaysMs } from './retry-delays.ts'
import {
  makeSecret,
  openSecret,
  postWebhook,
  sealSecret,
  createWebhookHeaders,
  type WebhookMessage,
} from './webhook.ts'

const createdAt = new Date('2026-05-04T11:59:00.200Z')
const attemptedAt = new Date('2026-05-04T12:00:00.700Z')
const target = { url: 'https://hook.example/key-1', secrets: [makeSecret()] }
const message: WebhookMessage = {
  id: 'a',
  type: 'compliance.test',
  created: createdAt,
  data: { region_id: 'alder' },
}
const answering = (status: number) => async () => new Response(null, { status })
const failing = (error: unknown) => () => Promise.reject(error)

test('A webhook posts JSON with the headers of Standard Webhooks', async () => {
  let request: GuardedRequest = {}
  await postWebhook(
    async (_, options = {}) => {
      request = options
      return new Response(null, { status: 202 })
    },
    target,
    message,
    attemptedAt,
  )
  expect(JSON.parse(String(request.body))).toEqual({
    type: 'compliance.test',
    timestamp: createdAt.toISOString(),
    data: { region_id: 'alder' },
  })
  expect(request).toMatchObject({
    method: 'POST',
    timeoutMs: 10_000,
    redirects: 0,
    statusOnly: true,
    headers: {
      'content-type': 'application/json',
      ...createWebhookHeaders(target.secrets, 'a', attemptedAt, String(request.body)),
    },
  })
})

test('A webhook is signed like the example of the standard', () => {
  // From the test of the reference libraries: standard-webhooks, version 1.0.0.
  expect(
    createWebhookHeaders(
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      new Date(1614265330_000),
      '{"test": 2432232314}',
    ),
  ).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test.each([
  ['200', answering(200), null, 200],
  ['a redirect', answering(302), 'It leads to another address (302); that is not followed.', 302],
  ['404', answering(404), 'It answered 404.', 404],
  ['410', answering(410), 'It answered 410: it wants no more messages and is disabled.', 410],
  [
    'a host that does not exist',
    failing(Object.assign(new Error('connect https://hook.example/key-1'), { code: 'ENOTFOUND' })),
    'The address could not be reached (ENOTFOUND).',
    null,
  ],
  ['something else', failing(new Error('key-1')), 'The address could not be reached.', null],
  ['no response', failing(new FetchRefused('time', 'x')), 'No response within 10 seconds.', null],
  [
    'a private address',
    failing(new FetchRefused('address', 'x')),
    'The address leads to one that is not public; it was not called.',
    null,
  ],
  ['plain HTTP', failing(new FetchRefused('protocol', 'x')), 'The address must begin with https://.', null],
  ['an answer too large', failing(new FetchRefused('size', 'x')), 'The response could not be read.', null],
] as const)('A delivery describes %s in plain words', async (_, fetch, problem, status) => {
  const outcome = await postWebhook(fetch, target, message, attemptedAt)
  expect(outcome).toMatchObject({ problem, status })
  expect(JSON.stringify(outcome)).not.toContain('key-1')
})

test('A webhook is retried after 5 seconds to 24 hours, with jitter', () => {
  const delays = (random: number) =>
    retryDelaysMs.map(
      (_, index) =>
        (getNextAttempt(index + 1, attemptedAt, () => random)?.getTime() ?? 0) - attemptedAt.getTime(),
    )
  expect(delays(0)).toEqual([...retryDelaysMs])
  expect(delays(1)).toEqual(retryDelaysMs.map((ms) => ms * (1 + maxJitter)))
  expect([retryDelaysMs[0], retryDelaysMs.at(-1)]).toEqual([5000, 24 * hourMs])
  expect(getNextAttempt(retryDelaysMs.length + 1, attemptedAt)).toBeNull()
})

test('Secrets are random, and can be opened for their own subscription only', () => {
  const secretBox = createSecretBox('ab'.repeat(32))
  const secret = makeSecret()
  expect(makeSecret()).not.toBe(secret)
  const sealed = sealSecret(secretBox, 'one', secret)
  expect(openSecret(secretBox, 'one', sealed)).toBe(secret)
  expect(() => openSecret(secretBox, 'two', sealed)).toThrow(Error)
})

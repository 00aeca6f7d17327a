import { expect, test } from 'vitest'
import { NewAlertSubscription } from './compliance-alerts.ts'

const id = 'aaaaaaaa-0000-4000-8000-000000000001'

test('By default, a subscription covers the whole region and sends email immediately', () => {
  expect(NewAlertSubscription.parse({ channel: 'email' })).toEqual({
    channel: 'email',
    constant_policy_uuid: null,
    operator: null,
    cadence: 'immediate',
  })
  expect(
    NewAlertSubscription.parse({
      channel: 'webhook',
      url: 'https://hook.example/a?b=c',
      constant_policy_uuid: id,
      operator: 'swift',
    }),
  ).toEqual({
    channel: 'webhook',
    url: 'https://hook.example/a?b=c',
    constant_policy_uuid: id,
    operator: 'swift',
  })
})

test.each([
  {},
  { channel: 'sms' },
  { channel: 'webhook' },
  { channel: 'webhook', url: 'ftp://hook.example' },
  { channel: 'webhook', url: 'hook.example' },
  { channel: 'webhook', url: 'javascript:alert(1)' },
  { channel: 'webhook', url: `https://hook.example/${'a'.repeat(1000)}` },
  { channel: 'email', cadence: 'weekly' },
  { channel: 'email', operator: 'A b' },
  { channel: 'email', constant_policy_uuid: 'x' },
])('%j is refused', (input) => {
  expect(NewAlertSubscription.safeParse(input).success).toBe(false)
})

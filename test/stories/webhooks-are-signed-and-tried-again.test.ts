import { beforeEach, describe, expect, it } from 'vitest'
import {
  addAlertSubscription,
  type AlertSubscription,
  endAlertSubscription,
  listAlertSubscriptions,
  replayAlert,
  type NewAlertSubscription,
  rotateAlertSecret,
  testAlertSubscription,
} from '#contract/compliance-alerts.ts'
import { hourMs, minuteMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { maxJitter, retryDelaysMs } from '#server/notifications/retry-delays.ts'
import { openAlertTown } from '../alert-town.ts'
import { openTestAlerts, makeViolation } from '../open-alerts.ts'

const region_id = 'alder'

/** Computes the signature of a call as its receiver does, with the browser's cryptography (Standard Webhooks 1.0.0). */
async function computeSignature(
  secret: string | null,
  call: { headers: Record<string, unknown>; body: string } | undefined,
): Promise<string> {
  const bytes = Uint8Array.from(Buffer.from((secret ?? '').replace(/^whsec_/, ''), 'base64'))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signed = `${String(call?.headers['webhook-id'])}.${String(call?.headers['webhook-timestamp'])}.${call?.body}`
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(signed))
  return `v1,${Buffer.from(signature).toString('base64')}`
}

const { town, dayAfter, toParams, subscribe, subscribeHook, readAlerts, readMessages } = openAlertTown()
let { app, city, cap, other, alerts, hook, day } = town
beforeEach(() => {
  ;({ app, city, cap, other, alerts, hook, day } = town)
})

describe('a webhook', () => {
  it('is sent a signed message', async () => {
    const subscription = await subscribeHook()
    alerts.records.set(cap, [makeViolation(day)])
    await alerts.pass(minuteMs)
    const [request] = hook.requests
    const [message] = readMessages()
    expect(message).toMatchObject({
      id: (await readAlerts(subscription))[0]?.alert_id,
      type: 'compliance.violations',
      region_id,
      policy: { constant_policy_uuid: cap, name: 'Cap', type: 'vehicle_cap' },
      records: [{ ...makeViolation(day), sent_violations: 0 }],
    })
    expect(new Date(message?.created ?? '').getTime()).toBe(alerts.clock)
    expect(request).toMatchObject({
      path: '/alerts',
      headers: { 'content-type': 'application/json', 'user-agent': 'Publicway' },
    })
    expect(request?.headers['webhook-timestamp']).toBe(String(Math.floor(alerts.clock / 1000)))
    expect(request?.headers['webhook-signature']).toBe(await computeSignature(subscription.secret, request))
    expect(await computeSignature(subscription.secret, { ...request!, body: `${request?.body} ` })).not.toBe(
      request?.headers['webhook-signature'],
    )
  })

  it('is retried for three days after failures, then abandoned, which its owner sees', async () => {
    const subscription = await subscribeHook()
    town.status = 503
    alerts.records.set(cap, [makeViolation(day)])
    await alerts.pass(minuteMs)
    for (const [at, delay] of retryDelaysMs.entries()) {
      const [alert] = await readAlerts(subscription)
      expect(alert).toMatchObject({
        state: 'waiting',
        tries: at + 1,
        http_status: 503,
        problem: 'It answered 503.',
      })
      const wait = Date.parse(alert?.next_time ?? '') - alerts.clock
      expect(wait).toBeGreaterThanOrEqual(delay)
      expect(wait).toBeLessThanOrEqual(delay * (1 + maxJitter))
      await alerts.pass(wait - 1000)
      expect(hook.requests).toHaveLength(at + 1)
      await alerts.pass(1000)
      expect(hook.requests).toHaveLength(at + 2)
    }
    await alerts.pass(30 * hourMs)
    expect(hook.requests).toHaveLength(retryDelaysMs.length + 1)
    expect(await readAlerts(subscription)).toMatchObject([
      { state: 'failed', tries: retryDelaysMs.length + 1, next_time: null, done_time: expect.any(String) },
    ])
    // Every attempt has the same message with another time.
    expect(new Set(hook.requests.map(({ body }) => body)).size).toBe(1)
    expect(new Set(hook.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(hook.requests.map(({ headers }) => headers['webhook-signature'])).size).toBe(
      hook.requests.length,
    )
  })

  it('receives pending messages once it responds again', async () => {
    const subscription = await subscribeHook()
    town.status = 500
    alerts.records.set(cap, [makeViolation(day)])
    await alerts.pass(minuteMs)
    town.status = 204
    await alerts.pass(minuteMs)
    await alerts.pass(hourMs)
    expect(await readAlerts(subscription)).toMatchObject([
      { state: 'done', tries: 2, http_status: 204, problem: null, next_time: null },
    ])
    expect(hook.requests).toHaveLength(2)
  })

  it('is disabled with its pending messages after a 410, until a test succeeds', async () => {
    const subscription = await subscribeHook()
    town.status = 500
    alerts.records.set(cap, [makeViolation(day)])
    alerts.records.set(other, [makeViolation(day)])
    await alerts.pass(minuteMs)
    town.status = 410
    await alerts.pass(minuteMs)
    const isDisabled = async () =>
      (await alerts.callAs(city.viewer, listAlertSubscriptions, { params: { region_id } })).items[0]
        ?.disabled_time
    expect(await isDisabled()).toBe(new Date(alerts.clock).toISOString())
    expect((await readAlerts(subscription)).map(({ state, problem }) => [state, problem])).toEqual([
      ['failed', 'It answered 410: it wants no more messages and is disabled.'],
      ['failed', 'It answered 410: it wants no more messages and is disabled.'],
    ])
    const before = hook.requests.length
    alerts.records.set(cap, [makeViolation(dayAfter(1))])
    await alerts.pass(hourMs)
    await alerts.callAs(city.viewer, testAlertSubscription, toParams(subscription))
    expect([hook.requests.length, await isDisabled()]).toEqual([before + 1, expect.any(String)])
    town.status = 200
    await alerts.callAs(city.viewer, testAlertSubscription, toParams(subscription))
    expect(await isDisabled()).toBeNull()
    await alerts.pass(5 * minuteMs)
    expect(readMessages().at(-1)?.records).toMatchObject([{ date: dayAfter(1) }])
  })

  it('receives a message again under the same ID on request', async () => {
    const subscription = await subscribeHook()
    alerts.records.set(cap, [makeViolation(day)])
    await alerts.pass(minuteMs)
    const [sent] = await readAlerts(subscription)
    const params = { ...toParams(subscription).params, alert_id: sent?.alert_id ?? '' }
    expect((await alerts.sendTo(city.planner, replayAlert, { params })).status).toBe(404)
    expect(await alerts.callAs(city.viewer, replayAlert, { params })).toMatchObject({
      state: 'waiting',
      tries: 0,
    })
    expect((await alerts.sendTo(city.viewer, replayAlert, { params })).status).toBe(409)
    await alerts.pass(1000)
    expect(readMessages().map(({ id }) => id)).toEqual([sent?.alert_id, sent?.alert_id])
    expect(hook.requests[0]?.body).toBe(hook.requests[1]?.body)
  })

  it('does not follow redirects, and its response is not read', async () => {
    const subscription = await subscribeHook()
    town.status = 307
    alerts.records.set(cap, [makeViolation(day)])
    await alerts.pass(minuteMs)
    expect(hook.requests.map(({ path }) => path)).toEqual(['/alerts'])
    expect((await readAlerts(subscription))[0]?.problem).toBe(
      'It leads to another address (307); that is not followed.',
    )
    hook.respond = (_, response) => void response.writeHead(200).write('a body without an end')
    await alerts.pass(minuteMs)
    expect(await readAlerts(subscription)).toMatchObject([{ state: 'done', tries: 2 }])
  })

  it('is sent again under the same id if the server stopped while sending', async () => {
    await subscribeHook()
    alerts.records.set(cap, [makeViolation(day)])
    let isUnderWay = (): void => undefined
    const underWay = new Promise<void>((resolve) => (isUnderWay = resolve))
    let stop = (): void => undefined
    alerts.fetch = () =>
      new Promise((_, reject) => {
        stop = () => reject(new Error('stopped'))
        isUnderWay()
      })
    await alerts.detect()
    const interrupted = alerts.send()
    await underWay
    const restarted = await openTestAlerts(app, alerts)
    await restarted.pass(minuteMs)
    expect(hook.requests).toHaveLength(0)
    await restarted.pass(2 * minuteMs)
    await restarted.pass(5 * minuteMs)
    expect(hook.requests).toHaveLength(1)
    stop()
    await interrupted
    await restarted.pass(hourMs)
    await restarted.close()
    expect(hook.requests).toHaveLength(1)
  })

  it('does not block others if it does not respond', async () => {
    await subscribeHook()
    await subscribe(city.planner, {
      channel: 'webhook',
      url: 'http://127.0.0.1:1/',
    } as Partial<NewAlertSubscription>)
    alerts.records.set(cap, [makeViolation(day)])
    alerts.records.set(other, [makeViolation(day)])
    await alerts.pass(minuteMs)
    expect(readMessages()).toHaveLength(2)
    const [planned] = (await alerts.callAs(city.planner, listAlertSubscriptions, { params: { region_id } }))
      .items
    expect(
      (await readAlerts(planned as AlertSubscription, city.planner))
        .map(({ tries, problem }) => [tries, problem])
        .toSorted(),
    ).toEqual([
      [0, null],
      [1, 'The address could not be reached (ECONNREFUSED).'],
    ])
  })

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.1.2.3/hook',
    'https://localhost/',
    'http://example.com/',
    'https://user:word@example.com/',
    'https://169.254.169.254/latest',
    'ftp://example.com/',
    'no address',
  ])('a webhook is refused at %s', async (url) => {
    const closed = await openTestAlerts(app, alerts, false)
    const { status: answered } = await closed.sendTo(city.viewer, addAlertSubscription, {
      params: { region_id },
      body: { channel: 'webhook', url },
    })
    await closed.close()
    expect(answered).toBe(422)
  })

  it('is rejected at a cloud metadata address, or at an address that became private', async () => {
    expect(
      (
        await alerts.sendTo(city.viewer, addAlertSubscription, {
          params: { region_id },
          body: { channel: 'webhook', url: 'http://169.254.169.254/' },
        })
      ).status,
    ).toBe(422)
    const subscription = await subscribeHook()
    const closed = await openTestAlerts(app, alerts, false)
    alerts.records.set(cap, [makeViolation(day)])
    await closed.pass(minuteMs)
    await closed.close()
    expect([hook.requests.length, (await readAlerts(subscription))[0]?.problem]).toEqual([
      0,
      'The address must begin with https://.',
    ])
  })
})

describe('a subscription', () => {
  it('shows its secret once, stores it sealed, and signs with the previous one too for a day', async () => {
    // Calls have the time of the system clock.
    alerts.clock = Date.now()
    const subscription = await subscribeHook()
    const readSent = async (): Promise<string> => {
      await alerts.callAs(city.viewer, testAlertSubscription, toParams(subscription))
      return String(hook.requests.at(-1)?.headers['webhook-signature'])
    }
    const { secret } = await alerts.callAs(city.viewer, rotateAlertSecret, toParams(subscription))
    expect(subscription.secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(secret).not.toBe(subscription.secret)
    const overlapping = await readSent()
    expect(overlapping.split(' ')).toEqual([
      await computeSignature(secret, hook.requests.at(-1)),
      await computeSignature(subscription.secret, hook.requests.at(-1)),
    ])
    alerts.clock += 25 * hourMs
    expect(await readSent()).toBe(await computeSignature(secret, hook.requests.at(-1)))
    town.status = 500
    await readSent()
    const rows = [
      await app.state.as(systemScope).selectFrom('subscription').selectAll().execute(),
      await app.state.as(systemScope).selectFrom('notification').selectAll().execute(),
    ]
    const everything = JSON.stringify([
      rows,
      alerts.logged,
      app.logged,
      await alerts.callAs(city.viewer, listAlertSubscriptions, { params: { region_id } }),
      await readAlerts(subscription),
    ])
    for (const text of [secret, subscription.secret ?? '']) expect(everything).not.toContain(text)
    expect(alerts.logged.join()).not.toContain('k-1')
  })

  it('is tested on request with a rate limit; a test is not retried', async () => {
    const subscription = await subscribeHook()
    const mail = await subscribe(city.viewer, { constant_policy_uuid: cap })
    expect(await alerts.callAs(city.viewer, testAlertSubscription, toParams(subscription))).toMatchObject({
      is_test: true,
      state: 'done',
      http_status: 200,
      records: 0,
      policy_name: null,
    })
    expect(readMessages()).toMatchObject([{ type: 'compliance.test', policy: null, records: [] }])
    town.status = 404
    expect(await alerts.callAs(city.viewer, testAlertSubscription, toParams(subscription))).toMatchObject({
      state: 'failed',
      problem: 'It answered 404.',
    })
    await alerts.pass(hourMs)
    expect(hook.requests).toHaveLength(2)
    await alerts.callAs(city.viewer, testAlertSubscription, toParams(mail))
    expect(alerts.mails).toMatchObject([
      { to: 'viewer@alder.example', subject: 'Test: e-mails about violations in Alder' },
    ])
    const left = await Promise.all(
      Array.from({ length: 9 }, () => alerts.sendTo(city.viewer, testAlertSubscription, toParams(mail))),
    )
    expect(left.map((response) => response.status).toSorted()).toEqual([
      200, 200, 200, 200, 200, 200, 200, 429, 429,
    ])
  })

  it('is unique per topic; a second email subscription changes the frequency', async () => {
    const first = await subscribe(city.viewer, { constant_policy_uuid: cap })
    expect(await subscribe(city.viewer, { constant_policy_uuid: cap, cadence: 'daily' })).toMatchObject({
      subscription_id: first.subscription_id,
      cadence: 'daily',
      policy_name: 'Cap',
      first_day: day,
      last: null,
    })
    await subscribeHook()
    expect(
      (
        await alerts.sendTo(city.viewer, addAlertSubscription, {
          params: { region_id },
          body: { channel: 'webhook', url: `${hook.url}/alerts?key=k-1` },
        })
      ).status,
    ).toBe(409)
    expect((await alerts.sendTo(city.viewer, rotateAlertSecret, toParams(first))).status).toBe(409)
    expect(
      (await alerts.callAs(city.viewer, listAlertSubscriptions, { params: { region_id } })).items.map(
        ({ channel }) => channel,
      ),
    ).toEqual(['email', 'webhook'])
    expect(await alerts.callAs(city.viewer, endAlertSubscription, toParams(first))).toEqual({ ended: true })
    expect((await alerts.sendTo(city.viewer, endAlertSubscription, toParams(first))).status).toBe(404)
  })
})

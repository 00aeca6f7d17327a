import fc from 'fast-check'
import { beforeEach, describe, expect, it, test } from 'vitest'
import {
  addAlertSubscription,
  endAlertSubscription,
  endAlertSubscriptionByToken,
  listAlerts,
  listAlertSubscriptions,
  rotateAlertSecret,
  testAlertSubscription,
} from '#contract/compliance-alerts.ts'
import { hourMs, minuteMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { openAlertTown } from '../alert-town.ts'
import { call } from '../app.ts'
import { openTestAlerts, makeViolation } from '../open-alerts.ts'

const region_id = 'alder'

const { town, dayAfter, toParams, subscribe, subscribeHook, readAlerts, readMessages, listMailTexts } =
  openAlertTown()
let { app, city, cap, other, alerts, hook, day } = town
beforeEach(() => {
  ;({ app, city, cap, other, alerts, hook, day } = town)
})

describe('new violations', () => {
  it('are mailed once, also after a restart, and late ones as an increase', async () => {
    await subscribe(city.viewer, { constant_policy_uuid: cap })
    alerts.records.set(cap, [
      makeViolation(day, {
        violations: 3,
        shape_uuid: cap,
        shape_name: 'Harbour',
        reason: '3 rides in a no-ride zone.',
      }),
    ])
    await alerts.pass(minuteMs)
    await alerts.pass(5 * minuteMs)
    expect(alerts.mails).toMatchObject([
      { to: 'viewer@alder.example', subject: 'New violations: Cap in Alder' },
    ])
    expect(listMailTexts()[0]).toMatch(
      /^Cap\n- \w{3} \d+, \d{4}, Swift, Harbour: 3 rides in a no-ride zone\.\nDetails: http:\/\/city\.example\/alder\/mobility\/policies\/compliance\/[0-9a-f-]{36}\n/,
    )
    const restarted = await openTestAlerts(app, alerts)
    alerts.records.set(cap, [
      makeViolation(day, {
        violations: 5,
        shape_uuid: cap,
        shape_name: 'Harbour',
        reason: '5 rides in a no-ride zone.',
      }),
      makeViolation(dayAfter(1)),
    ])
    await restarted.pass(5 * minuteMs)
    // Fewer violations, and then as many again, are no news.
    alerts.records.set(cap, [makeViolation(day, { violations: 1, shape_uuid: cap, shape_name: 'Harbour' })])
    await restarted.pass(5 * minuteMs)
    alerts.records.set(cap, [makeViolation(day, { violations: 5, shape_uuid: cap, shape_name: 'Harbour' })])
    await restarted.pass(5 * minuteMs)
    await restarted.close()
    expect(restarted.mails).toHaveLength(1)
    expect(restarted.mails[0]?.text).toContain(
      '5 rides in a no-ride zone. (more than reported before: 3, now 5)',
    )
    expect(restarted.mails[0]?.text).toContain('501 vehicles, over the maximum of 500.\n')
  })

  it('are reported only for the subscribed policy and operator, and not for earlier days', async () => {
    await subscribe(city.viewer, { constant_policy_uuid: cap, operator: 'lark' })
    alerts.records.set(cap, [
      makeViolation(dayAfter(-1), { operator: 'lark' }),
      makeViolation(day),
      makeViolation(day, { operator: 'lark', status: 'compliant' }),
      makeViolation(day, { operator: 'lark', status: 'not_applicable' }),
    ])
    alerts.records.set(other, [makeViolation(day, { operator: 'lark' })])
    await alerts.pass(minuteMs)
    expect(alerts.mails).toEqual([])
    alerts.records.set(cap, [makeViolation(day, { operator: 'lark' })])
    await alerts.pass(5 * minuteMs)
    expect(alerts.mails).toHaveLength(1)
  })

  it('are mailed to a user once, however many subscriptions match', async () => {
    await subscribe(city.viewer, { cadence: 'daily' })
    await subscribe(city.viewer, { constant_policy_uuid: cap })
    await subscribe(city.planner)
    for (const policy of [cap, other]) alerts.records.set(policy, [makeViolation(day)])
    await alerts.pass(minuteMs)
    expect(alerts.mails.map(({ to, subject }) => `${to} ${subject}`).toSorted()).toEqual([
      'planner@alder.example New violations: 2 policies in Alder',
      'viewer@alder.example New violations: Cap in Alder',
      'viewer@alder.example Violations of the day: Second cap in Alder',
    ])
  })

  it('new violations of the day are reported once a morning', async () => {
    await subscribe(city.viewer, { cadence: 'daily' })
    alerts.clock = Date.parse(`${dayAfter(1)}T08:00:00Z`) // Three or four in the morning.
    alerts.records.set(cap, [makeViolation(day)])
    await alerts.pass(minuteMs)
    expect(alerts.mails).toEqual([])
    await alerts.pass(5 * hourMs)
    alerts.records.set(cap, [makeViolation(day), makeViolation(dayAfter(1))])
    await alerts.pass(5 * hourMs)
    expect(alerts.mails).toHaveLength(1)
    await alerts.pass(20 * hourMs)
    expect(alerts.mails).toHaveLength(2)
  })

  it('are reported by one of two servers that find them', async () => {
    await subscribeHook()
    const second = await openTestAlerts(app, alerts)
    alerts.records.set(
      cap,
      Array.from({ length: 7 }, (_, index) => makeViolation(day, { operator: `op${index}` })),
    )
    await Promise.all([alerts.detect(), second.detect()])
    await Promise.all([alerts.send(), second.send()])
    await second.close()
    expect(
      readMessages()
        .flatMap(({ records }) => records.map(({ operator }) => operator))
        .toSorted(),
    ).toEqual(Array.from({ length: 7 }, (_, index) => `op${index}`))
  })
})

describe('an email about violations', () => {
  it('is not sent twice if the server stops while it is sent, and is marked as interrupted', async () => {
    const subscription = await subscribe(city.viewer)
    alerts.records.set(cap, [makeViolation(day)])
    let isUnderWay = (): void => undefined
    const underWay = new Promise<void>((resolve) => (isUnderWay = resolve))
    let stop = (): void => undefined
    alerts.sendMail = () =>
      new Promise((_, reject) => {
        stop = () => reject(new Error('stopped'))
        isUnderWay()
      })
    await alerts.detect()
    const interrupted = alerts.send()
    await underWay
    const restarted = await openTestAlerts(app, alerts)
    await restarted.pass(minuteMs)
    await restarted.pass(5 * minuteMs)
    stop()
    await interrupted
    await restarted.pass(hourMs)
    await restarted.close()
    expect(restarted.mails).toEqual([])
    expect(await readAlerts(subscription)).toMatchObject([
      { state: 'failed', problem: 'The server was stopped while it was sent: it may have arrived or not.' },
    ])
  })

  it('is sent later if the mail server did not accept it', async () => {
    await subscribe(city.viewer)
    alerts.records.set(cap, [makeViolation(day)])
    const good = alerts.sendMail
    alerts.sendMail = () => Promise.reject(new Error('550 viewer@alder.example'))
    await alerts.pass(minuteMs)
    alerts.sendMail = good
    await alerts.pass(minuteMs)
    await alerts.pass(hourMs)
    expect(alerts.mails).toHaveLength(1)
    expect(alerts.logged.join()).not.toContain('viewer@')
  })

  it('can be unsubscribed by its link, without a sign-in', async () => {
    await subscribe(city.viewer)
    alerts.records.set(cap, [makeViolation(day)])
    await alerts.pass(minuteMs)
    const token = /unsubscribe\/violations\/(\S+)/.exec(listMailTexts()[0] ?? '')?.[1] ?? ''
    for (const _ of [1, 2])
      expect(await alerts.callAs(null, endAlertSubscriptionByToken, { body: { token } })).toEqual({
        ended: true,
      })
    alerts.records.set(cap, [makeViolation(dayAfter(1))])
    await alerts.pass(hourMs)
    expect(alerts.mails).toHaveLength(1)
  })
})

describe('nothing is sent to a user', () => {
  const user = (set: object) =>
    app.state
      .as(systemScope)
      .updateTable('user')
      .set(set)
      .where('email', '=', 'viewer@alder.example')
      .execute()

  it.each([
    ['who is disabled', { disabled: true }],
    ['to whom the region was closed', { allRegions: false }],
  ])('%s, not even pending messages', async (_, set) => {
    await subscribe(city.viewer)
    const subscription = await subscribeHook()
    alerts.records.set(cap, [makeViolation(day)])
    await alerts.detect()
    await user(set)
    await alerts.pass(minuteMs)
    alerts.records.set(cap, [makeViolation(day), makeViolation(dayAfter(1))])
    await alerts.pass(5 * minuteMs)
    expect([alerts.mails, hook.requests]).toEqual([[], []])
    await user({ disabled: false, allRegions: true })
    expect(await readAlerts(subscription)).toMatchObject([
      { state: 'failed', problem: expect.stringContaining('no longer has access') },
    ])
  })

  it('about another operator than the user’s own', async () => {
    await user({ operators: JSON.stringify(['lark']) })
    expect(
      (
        await alerts.sendTo(city.viewer, addAlertSubscription, {
          params: { region_id },
          body: { channel: 'email', operator: 'swift' },
        })
      ).status,
    ).toBe(422)
    await subscribe(city.viewer)
    await subscribeHook()
    alerts.records.set(cap, [makeViolation(day), makeViolation(day, { operator: 'lark' })])
    await alerts.pass(minuteMs)
    expect(alerts.mails).toHaveLength(1)
    expect(listMailTexts()[0]).not.toContain('Swift')
    expect(readMessages().flatMap(({ records }) => records.map(({ operator }) => operator))).toEqual(['lark'])
    // The limit is set after violations were found and before they are sent.
    alerts.records.set(cap, [makeViolation(dayAfter(1), { operator: 'lark' })])
    await alerts.detect()
    await user({ operators: JSON.stringify(['glide']) })
    await alerts.pass(minuteMs)
    expect([alerts.mails.length, hook.requests.length]).toEqual([1, 1])
  })

  it('nothing is sent to a user by a subscription of another user, which the user cannot change', async () => {
    const subscription = await subscribeHook()
    for (const as of [city.admin, city.planner, city.stranger])
      for (const endpoint of [endAlertSubscription, rotateAlertSecret, testAlertSubscription, listAlerts])
        expect((await alerts.sendTo(as, endpoint, toParams(subscription))).status).toBe(404)
    expect(
      (await alerts.sendTo(city.stranger, listAlertSubscriptions, { params: { region_id } })).status,
    ).toBe(404)
    expect(
      (await alerts.callAs(city.admin, listAlertSubscriptions, { params: { region_id } })).items,
    ).toEqual([])
    expect(
      (
        await alerts.sendTo(city.stranger, addAlertSubscription, {
          params: { region_id: 'cedar' },
          body: { channel: 'email', constant_policy_uuid: cap },
        })
      ).status,
    ).toBe(404)
  })
})

test('a webhook receives each violation once, despite late data, failures and restarts', async () => {
  const found = fc.array(
    fc.record({
      operator: fc.constantFrom('swift', 'lark'),
      violations: fc.integer({ min: 1, max: 4 }),
      shape: fc.constantFrom(null, cap),
    }),
    { maxLength: 4 },
  )
  const step = fc.record({
    found,
    works: fc.boolean(),
    stops: fc.constantFrom('no', 'no', 'looking', 'sending'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      for (const table of ['subscription', 'alert_sent'] as const)
        await app.state.as(systemScope).deleteFrom(table).execute()
      hook.requests.length = 0
      const most = new Map<string, number>()
      await subscribeHook()
      for (const { found: now, works, stops } of steps) {
        const server = await openTestAlerts(app, alerts)
        server.clock = alerts.clock += 7 * minuteMs
        town.status = works ? 200 : 500
        // The newest finding of an operator and place counts.
        const records = [
          ...new Map(now.map((record) => [`${record.operator} ${record.shape}`, record])).entries(),
        ]
        alerts.records.set(
          cap,
          records.map(([, { operator, violations, shape }]) =>
            makeViolation(day, { operator, violations, shape_uuid: shape }),
          ),
        )
        for (const [key, { violations }] of records) most.set(key, Math.max(most.get(key) ?? 0, violations))
        if (stops === 'sending') server.fetch = () => new Promise(() => undefined)
        await server.detect()
        // A server that stops while sending does not report the outcome.
        const sending = stops === 'looking' ? undefined : server.send()
        if (stops === 'sending') await new Promise((resolve) => setTimeout(resolve, 50))
        else await sending
        if (stops !== 'sending') await server.close()
      }
      town.status = 200
      for (let hours = 0; hours < 26; hours += 1) await alerts.pass(hourMs)
      const reported = new Map<string, number>()
      const ids = new Set<string>()
      for (const { id, records } of readMessages()) {
        if (ids.has(id)) continue
        ids.add(id)
        for (const { operator, shape_uuid: shape, violations, sent_violations: before } of records) {
          const key = `${operator} ${shape}`
          expect(violations).toBeGreaterThan(before)
          reported.set(key, Math.max(reported.get(key) ?? 0, violations))
        }
      }
      expect(reported).toEqual(most)
      const stored = await app.state.as(systemScope).selectFrom('notification').select(['state']).execute()
      expect(stored.filter(({ state }) => state !== 'done')).toEqual([])
    }),
    { numRuns: 4 },
  )
})

test('the job of the server finds violations and sends them', async () => {
  const { subscription } = await call(app, city.viewer, addAlertSubscription, {
    params: { region_id },
    body: { channel: 'email' },
  })
  await app.alerts.detect()
  await app.notifications.deliver()
  expect((await call(app, city.viewer, listAlertSubscriptions, { params: { region_id } })).items).toEqual([
    subscription,
  ])
  expect(app.logged.filter((line) => line.includes('notification'))).toEqual([])
})

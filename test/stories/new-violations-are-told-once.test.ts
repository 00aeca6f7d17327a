import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAlertSubscription, type Alert, type AlertSubscription, endAlertSubscription, endAlertSubscriptionByToken, listAlerts, listAlertSubscriptions, type NewAlertSubscription, rotateAlertSecret, testAlertSubscription } from '#contract/compliance-alerts.ts'
import { dayNumber, dayOfNumber } from '#contract/period.ts'
import { publishPolicy, savePolicy } from '#contract/policies.ts'
import { retryMinutes } from '#server/compliance/alerts/next-try.ts'
import { systemScope } from '#server/identity/scope.ts'
import { ask, openTestApp, type SignedIn, type TestApp } from '../app.ts'
import { makeRegions, type TestCity } from '../city.ts'
import { openOperator, type OperatorServer } from '../feeds/operator-server.ts'
import { openTestAlerts, type TestAlerts, violation } from '../open-alerts.ts'

const minute = 60_000
const hour = 60 * minute
const region_id = 'alder'
let app: TestApp
let city: TestCity
let cap: string
let other: string
let alerts: TestAlerts
/** A webhook's server, which answers with `status`. */
let hook: OperatorServer
let status = 200
/** The region's day of subscribing. */
let day: string

async function publish(name: string): Promise<string> {
  const { plcy } = await ask(app, city.admin, savePolicy, { body: { region_id, policy_type: 'vehicle_cap', policy_name: name, maximum: 500 } })
  await ask(app, city.admin, publishPolicy, { body: { policy_uuid: plcy.policy_uuid, published: true } })
  return plcy.constant_policy_uuid
}

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  cap = await publish('Cap')
  other = await publish('Second cap')
})
afterAll(() => app.close())
beforeEach(async () => {
  for (const table of ['alert_subscription', 'alert_told', 'taken_turn'] as const) await app.state.as(systemScope).deleteFrom(table).execute()
  await app.state.as(systemScope).updateTable('user').set({ allRegions: true, disabled: false, operators: null }).execute()
  alerts = await openTestAlerts(app)
  status = 200
  hook = await openOperator((_, response) => response.writeHead(status, { location: '/elsewhere' }).end('thanks'))
  day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(alerts.clock)
  // Noon of the day after: what was published holds, and the mail of the day may go.
  alerts.clock = Date.parse(`${after(1)}T17:00:00Z`)
})
afterEach(async () => {
  await alerts.close()
  await hook.close()
})

const after = (days: number): string => dayOfNumber(dayNumber(day) + days)
const subscribe = async (as: SignedIn, body: Partial<NewAlertSubscription> = {}): Promise<AlertSubscription & { secret: string | null }> => {
  const { subscription, secret } = await alerts.ask(as, addAlertSubscription, { params: { region_id }, body: { channel: 'email', ...body } as NewAlertSubscription })
  return { ...subscription, secret }
}
const toHook = (as = city.viewer, some: Partial<NewAlertSubscription> = {}) => subscribe(as, { channel: 'webhook', url: `${hook.url}/told?key=k-1`, ...some } as Partial<NewAlertSubscription>)
const of = ({ subscription_id }: { subscription_id: string }) => ({ params: { region_id, subscription_id } })
const alertsOf = async (one: AlertSubscription, as = city.viewer): Promise<Alert[]> => (await alerts.ask(as, listAlerts, of(one))).items
const told = () => hook.asked.map(({ body }) => JSON.parse(body) as { id: string; type: string; created: string; region_id: string; policy: object; records: { date: string; operator: string; told_violations: number }[] })
const texts = (): string[] => alerts.mails.map(({ text }) => text)

describe('a new violation', () => {
  test('is told once by mail, also after a restart, and what comes late is told as more', async () => {
    await subscribe(city.viewer, { constant_policy_uuid: cap })
    alerts.records.set(cap, [violation(day, { violations: 3, shape_uuid: cap, shape_name: 'Harbour', reason: '3 rides in a no-ride zone.' })])
    await alerts.pass(minute)
    await alerts.pass(5 * minute)
    expect(alerts.mails).toMatchObject([{ to: 'viewer@alder.example', subject: 'New violations: Cap in Alder' }])
    expect(texts()[0]).toMatch(/^Cap\n- \w{3} \d+, \d{4}, Swift, Harbour: 3 rides in a no-ride zone\.\nLook at it: http:\/\/city\.example\/alder\/mobility\/policies\/compliance\/[0-9a-f-]{36}\n/)
    const restarted = await openTestAlerts(app, alerts)
    alerts.records.set(cap, [violation(day, { violations: 5, shape_uuid: cap, shape_name: 'Harbour', reason: '5 rides in a no-ride zone.' }), violation(after(1))])
    await restarted.pass(5 * minute)
    // Fewer, and as many again: no news.
    alerts.records.set(cap, [violation(day, { violations: 1, shape_uuid: cap, shape_name: 'Harbour' })])
    await restarted.pass(5 * minute)
    alerts.records.set(cap, [violation(day, { violations: 5, shape_uuid: cap, shape_name: 'Harbour' })])
    await restarted.pass(5 * minute)
    await restarted.close()
    expect(restarted.mails).toHaveLength(1)
    expect(restarted.mails[0]?.text).toContain('5 rides in a no-ride zone. (more than was told before: 3, now 5)')
    expect(restarted.mails[0]?.text).toContain('501 vehicles, over the maximum of 500.\n')
  })

  test('is told only of what was asked for, and of no day before', async () => {
    await subscribe(city.viewer, { constant_policy_uuid: cap, operator: 'lark' })
    alerts.records.set(cap, [violation(after(-1), { operator: 'lark' }), violation(day), violation(day, { operator: 'lark', status: 'compliant' }), violation(day, { operator: 'lark', status: 'not_applicable' })])
    alerts.records.set(other, [violation(day, { operator: 'lark' })])
    await alerts.pass(minute)
    expect(alerts.mails).toEqual([])
    alerts.records.set(cap, [violation(day, { operator: 'lark' })])
    await alerts.pass(5 * minute)
    expect(alerts.mails).toHaveLength(1)
  })

  test('is told a user once, however many of the subscriptions it belongs to', async () => {
    await subscribe(city.viewer, { cadence: 'daily' })
    await subscribe(city.viewer, { constant_policy_uuid: cap })
    await subscribe(city.planner)
    for (const policy of [cap, other]) alerts.records.set(policy, [violation(day)])
    await alerts.pass(minute)
    expect(alerts.mails.map(({ to, subject }) => `${to} ${subject}`).toSorted()).toEqual([
      'planner@alder.example New violations: 2 policies in Alder', 'viewer@alder.example New violations: Cap in Alder', 'viewer@alder.example Violations of the day: Second cap in Alder',
    ])
  })

  test('of the day comes once a morning', async () => {
    await subscribe(city.viewer, { cadence: 'daily' })
    alerts.clock = Date.parse(`${after(1)}T08:00:00Z`) // Three or four in the morning.
    alerts.records.set(cap, [violation(day)])
    await alerts.pass(minute)
    expect(alerts.mails).toEqual([])
    await alerts.pass(5 * hour)
    alerts.records.set(cap, [violation(day), violation(after(1))])
    await alerts.pass(5 * hour)
    expect(alerts.mails).toHaveLength(1)
    await alerts.pass(20 * hour)
    expect(alerts.mails).toHaveLength(2)
  })

  test('is found by two servers and told by one', async () => {
    await toHook()
    const second = await openTestAlerts(app, alerts)
    alerts.records.set(cap, Array.from({ length: 7 }, (_, at) => violation(day, { operator: `op${at}` })))
    await Promise.all([alerts.look(), second.look()])
    await Promise.all([alerts.send(), second.send()])
    await second.close()
    expect(told().flatMap(({ records }) => records.map(({ operator }) => operator)).toSorted()).toEqual(Array.from({ length: 7 }, (_, at) => `op${at}`))
  })
})

describe('a webhook', () => {
  test('is sent a signed message', async () => {
    const one = await toHook()
    alerts.records.set(cap, [violation(day)])
    await alerts.pass(minute)
    const [asked] = hook.asked
    const [message] = told()
    expect(message).toMatchObject({ id: (await alertsOf(one))[0]?.alert_id, type: 'compliance.violations', region_id, policy: { constant_policy_uuid: cap, name: 'Cap', type: 'vehicle_cap' }, records: [{ ...violation(day), told_violations: 0 }] })
    expect(new Date(message?.created ?? '').getTime()).toBe(alerts.clock)
    expect(asked).toMatchObject({ path: '/told', headers: { 'content-type': 'application/json', 'user-agent': 'Publicway' } })
    // By the browser's cryptography, from the header's own parts.
    const [, seconds = '', hex = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(asked?.headers['publicway-signature'])) ?? []
    expect(Number(seconds)).toBe(Math.floor(alerts.clock / 1000))
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(one.secret ?? ''), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    const verify = (body: string) => crypto.subtle.verify('HMAC', key, Uint8Array.from(Buffer.from(hex, 'hex')), new TextEncoder().encode(`${seconds}.${body}`))
    expect([await verify(asked?.body ?? ''), await verify(`${asked?.body} `)]).toEqual([true, false])
  })

  test('that fails is tried again for a day, then given up, and its owner sees it', async () => {
    const one = await toHook()
    status = 503
    alerts.records.set(cap, [violation(day)])
    await alerts.pass(minute)
    for (const [at, minutes] of retryMinutes.entries()) {
      expect(await alertsOf(one)).toMatchObject([{ state: 'waiting', tries: at + 1, http_status: 503, problem: 'It answered 503.', next_time: new Date(alerts.clock + minutes * minute).toISOString() }])
      await alerts.pass(minutes * minute - 1000)
      expect(hook.asked).toHaveLength(at + 1)
      await alerts.pass(1000)
      expect(hook.asked).toHaveLength(at + 2)
    }
    expect(retryMinutes.reduce((sum, each) => sum + each, 0)).toBeLessThan(24 * 60)
    await alerts.pass(30 * hour)
    expect(hook.asked).toHaveLength(retryMinutes.length + 1)
    expect(await alertsOf(one)).toMatchObject([{ state: 'failed', tries: retryMinutes.length + 1, next_time: null, done_time: expect.any(String) }])
    // Every try was the same message under another time.
    expect(new Set(hook.asked.map(({ body }) => body)).size).toBe(1)
    expect(new Set(hook.asked.map(({ headers }) => headers['publicway-signature'])).size).toBe(hook.asked.length)
  })

  test('that answers again gets what waited, once', async () => {
    const one = await toHook()
    status = 500
    alerts.records.set(cap, [violation(day)])
    await alerts.pass(minute)
    status = 204
    await alerts.pass(minute)
    await alerts.pass(hour)
    expect(await alertsOf(one)).toMatchObject([{ state: 'done', tries: 2, http_status: 204, problem: null, next_time: null }])
    expect(hook.asked).toHaveLength(2)
  })

  test('is not followed elsewhere, and an answer is not read', async () => {
    const one = await toHook()
    status = 307
    alerts.records.set(cap, [violation(day)])
    await alerts.pass(minute)
    expect(hook.asked.map(({ path }) => path)).toEqual(['/told'])
    expect((await alertsOf(one))[0]?.problem).toBe('It leads to another address (307); that is not followed.')
    hook.answer = (_, response) => void response.writeHead(200).write('a body without an end')
    await alerts.pass(minute)
    expect(await alertsOf(one)).toMatchObject([{ state: 'done', tries: 2 }])
  })

  test('that was being sent when the server was stopped is sent again under the same id', async () => {
    await toHook()
    alerts.records.set(cap, [violation(day)])
    let isUnderWay = (): void => undefined
    const underWay = new Promise<void>((resolve) => (isUnderWay = resolve))
    let stop = (): void => undefined
    alerts.fetch = () => new Promise((_, reject) => {
      stop = () => reject(new Error('stopped'))
      isUnderWay()
    })
    await alerts.look()
    const cut = alerts.send()
    await underWay
    const restarted = await openTestAlerts(app, alerts)
    await restarted.pass(minute)
    expect(hook.asked).toHaveLength(0)
    await restarted.pass(2 * minute)
    await restarted.pass(5 * minute)
    expect(hook.asked).toHaveLength(1)
    stop()
    await cut
    await restarted.pass(hour)
    await restarted.close()
    expect(hook.asked).toHaveLength(1)
  })

  test('that does not answer holds up nobody else', async () => {
    await toHook()
    await subscribe(city.planner, { channel: 'webhook', url: 'http://127.0.0.1:1/' } as Partial<NewAlertSubscription>)
    alerts.records.set(cap, [violation(day)])
    alerts.records.set(other, [violation(day)])
    await alerts.pass(minute)
    expect(told()).toHaveLength(2)
    const [planned] = (await alerts.ask(city.planner, listAlertSubscriptions, { params: { region_id } })).items
    expect((await alertsOf(planned as AlertSubscription, city.planner)).map(({ tries, problem }) => [tries, problem]).toSorted()).toEqual([[0, null], [1, 'The address could not be reached (ECONNREFUSED).']])
  })

  test.each(['https://127.0.0.1/', 'https://[::1]/', 'https://10.1.2.3/hook', 'https://localhost/', 'http://example.com/', 'https://user:word@example.com/', 'https://169.254.169.254/latest', 'ftp://example.com/', 'no address'])('is refused at %s', async (url) => {
    const closed = await openTestAlerts(app, alerts, false)
    const { status: answered } = await closed.answer(city.viewer, addAlertSubscription, { params: { region_id }, body: { channel: 'webhook', url } })
    await closed.close()
    expect(answered).toBe(422)
  })

  test('is never at the address where clouds keep secrets, and asks nowhere that became private', async () => {
    expect((await alerts.answer(city.viewer, addAlertSubscription, { params: { region_id }, body: { channel: 'webhook', url: 'http://169.254.169.254/' } })).status).toBe(422)
    const one = await toHook()
    const closed = await openTestAlerts(app, alerts, false)
    alerts.records.set(cap, [violation(day)])
    await closed.pass(minute)
    await closed.close()
    expect([hook.asked.length, (await alertsOf(one))[0]?.problem]).toEqual([0, 'The address must begin with https://.'])
  })
})

describe('a mail', () => {
  test('that the server was stopped over is not sent twice, and said to be cut off', async () => {
    const one = await subscribe(city.viewer)
    alerts.records.set(cap, [violation(day)])
    let isUnderWay = (): void => undefined
    const underWay = new Promise<void>((resolve) => (isUnderWay = resolve))
    let stop = (): void => undefined
    alerts.sendMail = () => new Promise((_, reject) => {
      stop = () => reject(new Error('stopped'))
      isUnderWay()
    })
    await alerts.look()
    const cut = alerts.send()
    await underWay
    const restarted = await openTestAlerts(app, alerts)
    await restarted.pass(minute)
    await restarted.pass(5 * minute)
    stop()
    await cut
    await restarted.pass(hour)
    await restarted.close()
    expect(restarted.mails).toEqual([])
    expect(await alertsOf(one)).toMatchObject([{ state: 'failed', problem: 'The server was stopped while it was sent: it may have arrived or not.' }])
  })

  test('that the mail server did not take is sent later', async () => {
    await subscribe(city.viewer)
    alerts.records.set(cap, [violation(day)])
    const good = alerts.sendMail
    alerts.sendMail = () => Promise.reject(new Error('550 viewer@alder.example'))
    await alerts.pass(minute)
    alerts.sendMail = good
    await alerts.pass(minute)
    await alerts.pass(hour)
    expect(alerts.mails).toHaveLength(1)
    expect(alerts.logged.join()).not.toContain('viewer@')
  })

  test('ends by its link, without a sign-in', async () => {
    await subscribe(city.viewer)
    alerts.records.set(cap, [violation(day)])
    await alerts.pass(minute)
    const token = /unsubscribe\/violations\/(\S+)/.exec(texts()[0] ?? '')?.[1] ?? ''
    for (const _ of [1, 2]) expect(await alerts.ask(null, endAlertSubscriptionByToken, { body: { token } })).toEqual({ ended: true })
    alerts.records.set(cap, [violation(after(1))])
    await alerts.pass(hour)
    expect(alerts.mails).toHaveLength(1)
  })
})

describe('nobody is told', () => {
  const user = (set: object) => app.state.as(systemScope).updateTable('user').set(set).where('email', '=', 'viewer@alder.example').execute()

  test.each([['who is disabled', { disabled: true }], ['to whom the region was closed', { allRegions: false }]])('%s, not even what waits', async (_, set) => {
    await subscribe(city.viewer)
    const one = await toHook()
    alerts.records.set(cap, [violation(day)])
    await alerts.look()
    await user(set)
    await alerts.pass(minute)
    alerts.records.set(cap, [violation(day), violation(after(1))])
    await alerts.pass(5 * minute)
    expect([alerts.mails, hook.asked]).toEqual([[], []])
    await user({ disabled: false, allRegions: true })
    expect(await alertsOf(one)).toMatchObject([{ state: 'failed', problem: expect.stringContaining('may not see this any more') }])
  })

  test('of an operator that is not theirs', async () => {
    await user({ operators: JSON.stringify(['lark']) })
    expect((await alerts.answer(city.viewer, addAlertSubscription, { params: { region_id }, body: { channel: 'email', operator: 'swift' } })).status).toBe(422)
    await subscribe(city.viewer)
    await toHook()
    alerts.records.set(cap, [violation(day), violation(day, { operator: 'lark' })])
    await alerts.pass(minute)
    expect(alerts.mails).toHaveLength(1)
    expect(texts()[0]).not.toContain('Swift')
    expect(told().flatMap(({ records }) => records.map(({ operator }) => operator))).toEqual(['lark'])
    // Narrowed between what was found and what is sent.
    alerts.records.set(cap, [violation(after(1), { operator: 'lark' })])
    await alerts.look()
    await user({ operators: JSON.stringify(['glide']) })
    await alerts.pass(minute)
    expect([alerts.mails.length, hook.asked.length]).toEqual([1, 1])
  })

  test('by a subscription of somebody else, nor may they touch it', async () => {
    const one = await toHook()
    for (const as of [city.admin, city.planner, city.stranger]) for (const endpoint of [endAlertSubscription, rotateAlertSecret, testAlertSubscription, listAlerts]) expect((await alerts.answer(as, endpoint, of(one))).status).toBe(404)
    expect((await alerts.answer(city.stranger, listAlertSubscriptions, { params: { region_id } })).status).toBe(404)
    expect((await alerts.ask(city.admin, listAlertSubscriptions, { params: { region_id } })).items).toEqual([])
    expect((await alerts.answer(city.stranger, addAlertSubscription, { params: { region_id: 'cedar' }, body: { channel: 'email', constant_policy_uuid: cap } })).status).toBe(404)
  })
})

describe('a subscription', () => {
  test('shows its secret once, keeps it sealed, and signs with the new one from then on', async () => {
    const one = await toHook()
    const sent = async (): Promise<string> => {
      await alerts.ask(city.viewer, testAlertSubscription, of(one))
      return String(hook.asked.at(-1)?.headers['publicway-signature'])
    }
    const { secret } = await alerts.ask(city.viewer, rotateAlertSecret, of(one))
    expect(one.secret).toMatch(/^pwsec_[\w-]{43}$/)
    expect(secret).not.toBe(one.secret)
    const [, seconds, hex] = /^t=(\d+),v1=(.*)$/.exec(await sent()) ?? []
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    expect(Buffer.from(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${seconds}.${hook.asked.at(-1)?.body}`))).toString('hex')).toBe(hex)
    status = 500
    await sent()
    const rows = [await app.state.as(systemScope).selectFrom('alert_subscription').selectAll().execute(), await app.state.as(systemScope).selectFrom('alert').selectAll().execute()]
    const everything = JSON.stringify([rows, alerts.logged, app.logged, await alerts.ask(city.viewer, listAlertSubscriptions, { params: { region_id } }), await alertsOf(one)])
    for (const word of [secret, one.secret ?? '']) expect(everything).not.toContain(word)
    expect(alerts.logged.join()).not.toContain('k-1')
  })

  test('is tested at a press, so often and no more; a test is not tried again', async () => {
    const one = await toHook()
    const mail = await subscribe(city.viewer, { constant_policy_uuid: cap })
    expect(await alerts.ask(city.viewer, testAlertSubscription, of(one))).toMatchObject({ is_test: true, state: 'done', http_status: 200, records: 0, policy_name: null })
    expect(told()).toMatchObject([{ type: 'compliance.test', policy: null, records: [] }])
    status = 404
    expect(await alerts.ask(city.viewer, testAlertSubscription, of(one))).toMatchObject({ state: 'failed', problem: 'It answered 404.' })
    await alerts.pass(hour)
    expect(hook.asked).toHaveLength(2)
    await alerts.ask(city.viewer, testAlertSubscription, of(mail))
    expect(alerts.mails).toMatchObject([{ to: 'viewer@alder.example', subject: 'Test: mails about violations in Alder' }])
    const left = await Promise.all(Array.from({ length: 9 }, () => alerts.answer(city.viewer, testAlertSubscription, of(mail))))
    expect(left.map((each) => each.status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 429, 429])
  })

  test('is one for each wish; by mail the same wish changes its cadence', async () => {
    const first = await subscribe(city.viewer, { constant_policy_uuid: cap })
    expect(await subscribe(city.viewer, { constant_policy_uuid: cap, cadence: 'daily' })).toMatchObject({ subscription_id: first.subscription_id, cadence: 'daily', policy_name: 'Cap', first_day: day, last: null })
    await toHook()
    expect((await alerts.answer(city.viewer, addAlertSubscription, { params: { region_id }, body: { channel: 'webhook', url: `${hook.url}/told?key=k-1` } })).status).toBe(409)
    expect((await alerts.answer(city.viewer, rotateAlertSecret, of(first))).status).toBe(409)
    expect((await alerts.ask(city.viewer, listAlertSubscriptions, { params: { region_id } })).items.map(({ channel }) => channel)).toEqual(['email', 'webhook'])
    expect(await alerts.ask(city.viewer, endAlertSubscription, of(first))).toEqual({ ended: true })
    expect((await alerts.answer(city.viewer, endAlertSubscription, of(first))).status).toBe(404)
  })
})

test('whatever is found late, whatever fails and however often the server is stopped, a webhook hears of all of it once', async () => {
  const found = fc.array(fc.record({ operator: fc.constantFrom('swift', 'lark'), violations: fc.integer({ min: 1, max: 4 }), shape: fc.constantFrom(null, cap) }), { maxLength: 4 })
  const step = fc.record({ found, works: fc.boolean(), stops: fc.constantFrom('no', 'no', 'looking', 'sending') })
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
    for (const table of ['alert_subscription', 'alert_told'] as const) await app.state.as(systemScope).deleteFrom(table).execute()
    hook.asked.length = 0
    const most = new Map<string, number>()
    await toHook()
    for (const { found: now, works, stops } of steps) {
      const one = await openTestAlerts(app, alerts)
      one.clock = alerts.clock += 7 * minute
      status = works ? 200 : 500
      // Of one operator and place the newest finding holds.
      const records = [...new Map(now.map((each) => [`${each.operator} ${each.shape}`, each])).entries()]
      alerts.records.set(cap, records.map(([, { operator, violations, shape }]) => violation(day, { operator, violations, shape_uuid: shape })))
      for (const [key, { violations }] of records) most.set(key, Math.max(most.get(key) ?? 0, violations))
      if (stops === 'sending') one.fetch = () => new Promise(() => undefined)
      await one.look()
      // One that is stopped while it sends never comes back to say how it went.
      const sending = stops === 'looking' ? undefined : one.send()
      if (stops === 'sending') await new Promise((resolve) => setTimeout(resolve, 50))
      else await sending
      if (stops !== 'sending') await one.close()
    }
    status = 200
    for (let hours = 0; hours < 26; hours += 1) await alerts.pass(hour)
    const heard = new Map<string, number>()
    const ids = new Set<string>()
    for (const { id, records } of told() as unknown as { id: string; records: { operator: string; shape_uuid: string | null; violations: number; told_violations: number }[] }[]) {
      if (ids.has(id)) continue
      ids.add(id)
      for (const { operator, shape_uuid: shape, violations, told_violations: before } of records) {
        const key = `${operator} ${shape}`
        expect(violations).toBeGreaterThan(before)
        heard.set(key, Math.max(heard.get(key) ?? 0, violations))
      }
    }
    expect(heard).toEqual(most)
    const stored = await app.state.as(systemScope).selectFrom('alert').select(['state']).execute()
    expect(stored.filter(({ state }) => state !== 'done')).toEqual([])
  }), { numRuns: 4 })
})

test('the server itself looks by compliance, and sends', async () => {
  const { subscription } = await ask(app, city.viewer, addAlertSubscription, { params: { region_id }, body: { channel: 'email' } })
  await app.alerts.look()
  await app.alerts.send()
  expect((await ask(app, city.viewer, listAlertSubscriptions, { params: { region_id } })).items).toEqual([subscription])
  expect(app.logged.filter((line) => line.includes('alert'))).toEqual([])
})

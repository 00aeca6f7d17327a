import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { dayMs, hourMs } from '#contract/period.ts'
import { publishPolicy, savePolicy } from '#contract/policies.ts'
import { changePermissionsOn, inviteUser } from '#contract/users.ts'
import {
  addWebhook,
  changeWebhook,
  listWebhookDeliveries,
  listWebhooks,
  removeWebhook,
  replayWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
  type WebhookEvent,
  webhookEventNames,
} from '#contract/webhooks.ts'
import { enqueueAlerts } from '#server/compliance/alerts/enqueue-alerts.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { publishEvent, publishServerEvent } from '#server/notifications/events/publish-event.ts'
import { announceExpiredPolicies } from '#server/policies/expired-policies.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { addLayer, makeRegions, type TestCity } from '../city.ts'
import { zones } from '../city/shapes.ts'
import { openOperator, type OperatorServer } from '../feeds/operator-server.ts'
import { makeViolation } from '../open-alerts.ts'

const region_id = 'alder'
const unstopped = new AbortController().signal
let app: TestApp
let city: TestCity
let hook: OperatorServer
let status = 200

beforeAll(async () => {
  app = await openTestApp(undefined, { PRIVATE_ADDRESSES: 'on' })
  city = await makeRegions(app)
  await addLayer(app, city.admin, { region_id, layer_name: 'Zones', shapes: zones })
  hook = await openOperator((_, response) => response.writeHead(status).end('thanks'))
})
afterAll(async () => {
  await hook.close()
  await app.close()
})
beforeEach(async () => {
  await getStore().deleteFrom('subscription').execute()
  hook.requests.length = 0
  status = 200
})

const getStore = () => app.state.as(systemScope)
const addTestWebhook = async (events: readonly WebhookEvent[], place = '/hooks') =>
  call(app, city.admin, addWebhook, {
    params: { region_id },
    body: { url: `${hook.url}${place}`, events: [...events] },
  })
const toParams = ({ webhook_id }: Webhook) => ({ region_id, webhook_id })
/** Delivers everything due and returns the received events. */
async function receiveAll(): Promise<{ type: string; data: Record<string, unknown> }[]> {
  for (;;) {
    await app.notifications.deliver()
    const pending = await getStore()
      .selectFrom('notification')
      .select('notification_id')
      .where((is) =>
        is.or([
          is('state', '=', 'sending'),
          is.and([is('state', '=', 'waiting'), is('next_time', '<=', new Date())]),
        ]),
      )
      .execute()
    if (!pending.length) break
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return hook.requests.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
}
async function publish(name: string, end_date: string | null = null): Promise<string> {
  const { plcy } = await call(app, city.admin, savePolicy, {
    body: { region_id, policy_type: 'vehicle_cap', policy_name: name, maximum: 500, end_date },
  })
  await call(app, city.admin, publishPolicy, { body: { policy_uuid: plcy.policy_uuid, published: true } })
  return plcy.policy_uuid
}

describe('a webhook', () => {
  it('receives the selected events in minimal, signed messages', async () => {
    const { webhook, secret } = await addTestWebhook(['policy.published', 'geography.published'])
    const policyId = await publish('Cap')
    const messages = await receiveAll()
    expect(messages.map(({ type }) => type).toSorted()).toEqual(['geography.published', 'policy.published'])
    expect(messages.find(({ type }) => type === 'policy.published')?.data).toEqual({
      region_id,
      policy_id: policyId,
      constant_policy_id: expect.any(String),
      name: 'Cap',
      start_date: expect.any(Number),
      end_date: null,
    })
    const [request] = hook.requests
    const { createHmac } = await import('node:crypto')
    const signed = `${String(request?.headers['webhook-id'])}.${String(request?.headers['webhook-timestamp'])}.${request?.body}`
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    expect(request?.headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    )
    await call(app, city.admin, changeWebhook, {
      params: toParams(webhook),
      body: { events: ['backup.failed'] },
    })
    await publish('Not announced')
    await publishServerEvent(app.state, 'backup.failed', { job: 'make-backup' }, new Date())
    expect((await receiveAll()).slice(2)).toMatchObject([
      { type: 'backup.failed', data: { region_id, job: 'make-backup' } },
    ])
    const { items } = await call(app, city.admin, listWebhookDeliveries, { params: toParams(webhook) })
    expect(items.map(({ state, http_status }) => [state, http_status])).toEqual(
      items.map(() => ['done', 200]),
    )
    expect(JSON.stringify(items)).not.toContain(secret)
  })

  it('receives the end of a policy once', async () => {
    await addTestWebhook(['policy.expired'])
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date())
    const policyId = await publish('Ends today', day)
    const later = new Date(Date.now() + 2 * dayMs - hourMs)
    for (const at of [new Date(), later, later]) await announceExpiredPolicies(app.state, at, unstopped)
    // The event is queued for the time of its detection.
    await getStore()
      .updateTable('notification')
      .set({ next_time: new Date() })
      .where('kind', '=', 'policy.expired')
      .execute()
    expect(await receiveAll()).toMatchObject([
      { type: 'policy.expired', data: { policy_id: policyId, name: 'Ends today' } },
    ])
  })

  it('receives the number of violations, without vehicles', async () => {
    const { webhook } = await addTestWebhook(['compliance.violation'])
    const { user_id: userId } = await getStore()
      .selectFrom('subscription')
      .select('user_id')
      .executeTakeFirstOrThrow()
    const policy = {
      policy_uuid: 'p',
      constant_policy_uuid: crypto.randomUUID(),
      name: 'Cap',
      type: 'vehicle_cap',
    }
    await enqueueAlerts(
      app.state.as(regionScope(city.organizations.alder, region_id)),
      {
        regionId: region_id,
        subscriptionId: webhook.webhook_id,
        userId,
        recipientKey: `webhook:${webhook.webhook_id}`,
        policy: policy as never,
        firstDay: '2026-03-01',
        isEvent: true,
      },
      [makeViolation('2026-03-04'), makeViolation('2026-03-05')],
      new Date(),
    )
    const [message] = await receiveAll()
    expect(message).toMatchObject({
      type: 'compliance.violation',
      data: { policy_id: 'p', first_day: '2026-03-04', last_day: '2026-03-05' },
    })
    expect(message?.data).not.toHaveProperty('records')
  })

  it('is off after a 410 until a test arrives; logged messages are sent again under their id', async () => {
    const { webhook } = await addTestWebhook(['export.ready'])
    const event = { type: 'export.ready', regionId: region_id, data: { export_id: 'e' } } as const
    status = 410
    await publishEvent(getStore(), event, new Date())
    await receiveAll()
    await publishEvent(getStore(), event, new Date())
    expect(await receiveAll()).toHaveLength(1)
    const listShown = async () =>
      (await call(app, city.admin, listWebhooks, { params: { region_id } })).items[0]
    expect((await listShown())?.disabled_time).not.toBeNull()
    status = 200
    expect(await call(app, city.admin, testWebhook, { params: toParams(webhook) })).toMatchObject({
      event: 'webhook.test',
      state: 'done',
    })
    expect((await listShown())?.disabled_time).toBeNull()
    const { items } = await call(app, city.admin, listWebhookDeliveries, { params: toParams(webhook) })
    const failed = items.find(({ state }) => state === 'failed')
    const delivery_id = failed?.delivery_id ?? ''
    await call(app, city.admin, replayWebhookDelivery, { params: { ...toParams(webhook), delivery_id } })
    await receiveAll()
    expect(hook.requests.map(({ headers }) => headers['webhook-id'])).toEqual([
      delivery_id,
      expect.any(String),
      delivery_id,
    ])
  })

  it('receives nothing after its owner loses the administrator role', async () => {
    const { user } = await call(app, city.admin, inviteUser, {
      body: { email: 'leaves@alder.example', name: 'Leaves' },
    })
    const grant = (enabled: boolean) =>
      call(app, city.admin, changePermissionsOn, {
        params: { obj_type: 'user', obj_id: user.id },
        body: { permissions: [{ key: 'is_admin', enabled }] },
      })
    await grant(true)
    const { webhook } = await addTestWebhook(['export.ready'])
    await getStore()
      .updateTable('subscription')
      .set({ user_id: user.id })
      .where('subscription_id', '=', webhook.webhook_id)
      .execute()
    await grant(false)
    const event = { type: 'export.ready', regionId: region_id, data: { export_id: 'e' } } as const
    await publishEvent(getStore(), event, new Date())
    expect(await receiveAll()).toEqual([])
    await grant(true)
    await publishEvent(getStore(), event, new Date())
    expect(await receiveAll()).toMatchObject([{ type: 'export.ready' }])
  })

  it('belongs to administrators of its region, gets a new secret on request, and can be removed', async () => {
    const { webhook, secret } = await addTestWebhook(['export.ready'])
    const params = toParams(webhook)
    for (const as of [city.viewer, city.stranger])
      expect([403, 404]).toContain((await send(app, as, testWebhook, { params })).statusCode)
    expect((await send(app, city.stranger, listWebhooks, { params: { region_id } })).statusCode).toBe(404)
    const again = await send(app, city.admin, addWebhook, {
      params: { region_id },
      body: { url: `${hook.url}/hooks`, events: ['export.ready'] },
    })
    expect(readProblem(again).status).toBe(409)
    expect((await call(app, city.admin, rotateWebhookSecret, { params })).secret).not.toBe(secret)
    expect(await call(app, city.admin, removeWebhook, { params })).toEqual({ removed: true })
    expect((await call(app, city.admin, listWebhooks, { params: { region_id } })).items).toEqual([])
  })
})

test('every event type is sent somewhere in the server', () => {
  const server = path.resolve(import.meta.dirname, '../../server')
  const sources = fs
    .readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => fs.readFileSync(path.join(server, name), 'utf8'))
    .filter((text) => /publishEvent|publishServerEvent|isEvent/.test(text))
    .join('\n')
  expect(webhookEventNames.filter((event) => !sources.includes(`'${event}'`))).toEqual([])
})

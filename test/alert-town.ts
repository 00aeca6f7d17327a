import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import {
  addAlertSubscription,
  type Alert,
  type AlertSubscription,
  listAlerts,
  type NewAlertSubscription,
} from '#contract/compliance-alerts.ts'
import { addDays } from '#contract/period.ts'
import { publishPolicy, savePolicy } from '#contract/policies.ts'
import { systemScope } from '#server/identity/scope.ts'
import { call, openTestApp, type SignedIn, type TestApp } from './app.ts'
import { makeRegions, type TestCity } from './city.ts'
import { openOperator, type OperatorServer } from './feeds/operator-server.ts'
import { openTestAlerts, type TestAlerts } from './open-alerts.ts'

/** The city, and what `openAlertTown` creates for each test. */
interface Town {
  app: TestApp
  city: TestCity
  /** The constant ids of the two published policies. */
  cap: string
  other: string
  alerts: TestAlerts
  /** The server that receives webhooks. */
  hook: OperatorServer
  /** The status with which `hook` responds. */
  status: number
  /** The local day on which users subscribe. */
  day: string
}

/** A message that the webhook received. */
interface ReceivedMessage {
  id: string
  type: string
  created: string
  region_id: string
  policy: object
  records: {
    date: string
    operator: string
    shape_uuid: string | null
    violations: number
    sent_violations: number
  }[]
}

const region_id = 'alder'

async function publish(app: TestApp, city: TestCity, name: string): Promise<string> {
  const { plcy } = await call(app, city.admin, savePolicy, {
    body: { region_id, policy_type: 'vehicle_cap', policy_name: name, maximum: 500 },
  })
  await call(app, city.admin, publishPolicy, { body: { policy_uuid: plcy.policy_uuid, published: true } })
  return plcy.constant_policy_uuid
}

/** Opens a city with two published policies. Each test gets alerts without history, and a webhook server. */
export function openAlertTown() {
  const town = { status: 200 } as Town
  beforeAll(async () => {
    town.app = await openTestApp()
    town.city = await makeRegions(town.app)
    town.cap = await publish(town.app, town.city, 'Cap')
    town.other = await publish(town.app, town.city, 'Second cap')
  })
  afterAll(() => town.app.close())
  beforeEach(async () => {
    const store = town.app.state.as(systemScope)
    for (const table of ['subscription', 'alert_sent', 'taken_turn'] as const)
      await store.deleteFrom(table).execute()
    await store.updateTable('user').set({ allRegions: true, disabled: false, operators: null }).execute()
    town.alerts = await openTestAlerts(town.app)
    town.status = 200
    town.hook = await openOperator((_, response) =>
      response.writeHead(town.status, { location: '/elsewhere' }).end('thanks'),
    )
    town.day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(town.alerts.clock)
    // By then the policies are in force and the daily mail is due.
    town.alerts.clock = Date.parse(`${getDayAfter(1)}T17:00:00Z`)
  })
  afterEach(async () => {
    await town.alerts.close()
    await town.hook.close()
  })
  const getDayAfter = (days: number): string => addDays(town.day, days)
  const toParams = ({ subscription_id }: { subscription_id: string }) => ({
    params: { region_id, subscription_id },
  })
  const subscribe = async (
    as: SignedIn,
    body: Partial<NewAlertSubscription> = {},
  ): Promise<AlertSubscription & { secret: string | null }> => {
    const { subscription, secret } = await town.alerts.callAs(as, addAlertSubscription, {
      params: { region_id },
      body: { channel: 'email', ...body } as NewAlertSubscription,
    })
    return { ...subscription, secret }
  }
  return {
    town,
    dayAfter: getDayAfter,
    toParams,
    subscribe,
    subscribeHook: () =>
      subscribe(town.city.viewer, {
        channel: 'webhook',
        url: `${town.hook.url}/alerts?key=k-1`,
      } as Partial<NewAlertSubscription>),
    readAlerts: async (subscription: AlertSubscription, as = town.city.viewer): Promise<Alert[]> =>
      (await town.alerts.callAs(as, listAlerts, toParams(subscription))).items,
    readMessages: (): ReceivedMessage[] =>
      town.hook.requests.map(({ body, headers }) => {
        const { type, timestamp, data } = JSON.parse(body) as {
          type: string
          timestamp: string
          data: object
        }
        return { id: String(headers['webhook-id']), type, created: timestamp, ...data } as ReceivedMessage
      }),
    listMailTexts: (): string[] => town.alerts.mails.map(({ text }) => text),
  }
}

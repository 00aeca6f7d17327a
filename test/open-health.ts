import { createRouteDerivation } from '#server/routes/derive-routes.ts'
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { EndpointOutput, Endpoint } from '#contract/endpoint.ts'
import { openHealth, type OpenHealth } from '#server/health/open-health.ts'
import { type CompletedRequest } from '#server/http/serve.ts'
import type { Message } from '#server/mail/message.ts'
import { openNotifications } from '#server/notifications/open-notifications.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { type FeedRecords, noRecords, type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import { openFleetIngest } from '#server/fleet/events/open-fleet-ingest.ts'
import { insertFeed } from './store-region.ts'
import { call, type CallInput, sendTo, serveRoutes, type SignedIn, type TestApp } from './app.ts'

/** Data health of an application, with a mail server that may be down. `evaluateRules` also sends emails. */
export interface TestHealth extends OpenHealth {
  fleetIngest: FleetIngest
  mails: Message[]
  /** Whether the mail server refuses mails. */
  mailIsDown: boolean
  /** Completed requests, as the audit log would record them. */
  done: CompletedRequest[]
  http: FastifyInstance
  send<E extends Endpoint>(
    as: SignedIn | null,
    endpoint: E,
    input?: CallInput<E>,
  ): Promise<{ status: number; text: string }>
  callAs<E extends Endpoint>(
    as: SignedIn | null,
    endpoint: E,
    input?: CallInput<E>,
  ): Promise<EndpointOutput<E>>
  close(): Promise<void>
}

export async function openTestHealth(app: TestApp): Promise<TestHealth> {
  const mails: Message[] = []
  const done: CompletedRequest[] = []
  const log = (): void => {}
  let clock = new Date()
  const notifications = openNotifications({
    state: app.state,
    publicUrl: 'http://city.example',
    log,
    now: () => clock,
    secretBox: createSecretBox('ab'.repeat(32)),
    fetch: () => Promise.reject(new Error('Incidents have no webhooks')),
    mail: {
      send: async (message) =>
        health.mailIsDown ? Promise.reject(new Error('The mail server is down')) : void mails.push(message),
    },
  })
  const opened = openHealth({ state: app.state, facts: app.facts, notifications, log })
  const fleetIngest = await openFleetIngest({
    state: app.state,
    facts: app.facts,
    log,
    nowMs: Date.now,
    deriveFromTrips: createRouteDerivation(app),
  })
  const http = await serveRoutes(app, opened.routes, { onDone: (completed) => done.push(completed) })
  const health: TestHealth = {
    ...opened,
    async evaluateRules(at) {
      clock = at
      await opened.evaluateRules(at)
      await notifications.deliver()
    },
    fleetIngest,
    mails,
    mailIsDown: false,
    done,
    http,
    send: (...args) => sendTo({ http }, ...args),
    callAs: (...args) => call({ http }, ...args),
    async close() {
      await http.close()
      await fleetIngest.close()
    },
  }
  return health
}

/** Adds a feed of an operator, like the screen of administrators. Returns its id. */
export async function addFeed(
  app: TestApp,
  regionId: string,
  operator: string,
  overrides: { kind?: string; version?: string; promised_minutes?: number; enabled?: boolean } = {},
): Promise<string> {
  return insertFeed(app.state, {
    region_id: regionId,
    operator,
    kind: 'mds_provider',
    name: `${operator} feed`,
    url: 'https://operator.example',
    promised_minutes: 120,
    ...overrides,
  })
}

export const makeEvent = (
  operator: string,
  vehicle: number,
  time: number,
  overrides: Partial<VehicleEvent> = {},
): VehicleEvent => ({
  operator,
  deviceId: `${String(vehicle).padStart(8, '0')}-0000-4000-8000-000000000000`,
  eventId: randomUUID(),
  time: Math.floor(time),
  state: 'available',
  types: ['trip_end'],
  tripIds: [],
  lon: -72.5,
  lat: 41.49,
  accuracy: NaN,
  battery: 50,
  published: 0,
  ...overrides,
})

/** Stores records like those of a feed, and waits until derived data include them. */
export async function storeRecords(
  fleetIngest: FleetIngest,
  batch: { organizationId: string; regionId: string; operator: string; feedId: string; received: number },
  records: Partial<FeedRecords>,
): Promise<void> {
  await fleetIngest.store({
    ...batch,
    stream: 'events',
    windowStart: batch.received,
    records: { ...noRecords(), ...records },
  })
  await fleetIngest.whenDerived()
}

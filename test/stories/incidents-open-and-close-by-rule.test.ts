import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  acknowledgeIncident,
  commentIncident,
  endIncidentSubscription,
  getIncident,
  type Incident,
  listIncidentRecipients,
  listIncidents,
  listIncidentSubscriptions,
  setIncidentSubscription,
} from '#contract/incidents.ts'
import { hourMs, minuteMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { getMe } from '#contract/identity.ts'
import { call, openTestApp, type TestApp } from '../app.ts'
import { makeRegions, type TestCity } from '../city.ts'
import { addFeed, makeEvent, storeRecords, openTestHealth, type TestHealth } from '../open-health.ts'
import { subscribeToEvents, listReceivedEvents } from '../webhook-events.ts'

let app: TestApp
let city: TestCity
let health: TestHealth
let feed: string
/** The clock of the rules, which each test advances. */
let clock = Date.parse('2026-05-04T15:00:00Z')
const params = { region_id: 'alder' }

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  health = await openTestHealth(app)
  feed = await addFeed(app, 'alder', 'swift')
})
afterAll(async () => {
  await health.close()
  await app.close()
})
beforeEach(async () => {
  // Long after the incidents of earlier tests, without emails and subscriptions.
  clock += 48 * hourMs
  await setProblem(null)
  await setFreshRecord()
  await health.evaluateRules(new Date(clock))
  await app.state.as(systemScope).deleteFrom('subscription').execute()
  health.mails.length = 0
  health.mailIsDown = false
})

const setProblem = (since: number | null): Promise<unknown> =>
  app.state
    .as(systemScope)
    .updateTable('feed')
    .set({
      problem: since === null ? null : "The operator's server failed (500).",
      problem_since: since === null ? null : new Date(since),
    })
    .where('feed_id', '=', feed)
    .execute()
const setFreshRecord = (): Promise<unknown> =>
  app.state
    .as(systemScope)
    .updateTable('feed')
    .set({ last_record_time: new Date(clock) })
    .where('feed_id', '=', feed)
    .execute()
/** Advances the clock and evaluates the rules. */
const advance = async (ms: number): Promise<void> => {
  clock += ms
  await setFreshRecord()
  await health.evaluateRules(new Date(clock))
}
const readIncidents = async (query = {}): Promise<Incident[]> =>
  (await health.callAs(city.viewer, listIncidents, { params, query })).items
const readNewest = async (): Promise<Incident> => {
  const [first] = (await readIncidents()).toSorted((a, b) => (a.opened_time < b.opened_time ? 1 : -1))
  if (!first) throw new Error('There is no incident')
  return first
}
const subscribe = (
  as: TestCity['viewer'],
  cadence: 'immediate' | 'daily' | null,
  scope: { region_id?: string | null; operator?: string | null } = params,
) => health.callAs(as, setIncidentSubscription, { body: { ...scope, cadence } })
const findToken = (text: string): string => /unsubscribe\/(\S+)/.exec(text)?.[1] ?? ''

describe('an incident', () => {
  it('opens once, reports deterioration, and closes by itself', async () => {
    await subscribeToEvents(app, params.region_id, city.admin.email)
    await setProblem(clock - 20 * minuteMs)
    await advance(5 * minuteMs)
    expect(await readIncidents({ state: 'open' })).toEqual([])
    await advance(10 * minuteMs)
    await advance(5 * minuteMs)
    const [open] = await readIncidents({ state: 'open', operator: 'swift' })
    expect(open).toMatchObject({
      rule: 'feed_failing',
      severity: 'critical',
      operator: 'swift',
      feed_id: feed,
      feed_name: 'swift feed',
      value: 40,
      worst: 40,
      closed_time: null,
      steps: [{ step: 'opened', value: 35, by: null }],
    })
    await advance(20 * minuteMs)
    await setProblem(null)
    await advance(5 * minuteMs)
    expect(
      await health.callAs(city.viewer, getIncident, {
        params: { ...params, incident_id: open!.incident_id },
      }),
    ).toMatchObject({
      value: 0,
      worst: 60,
      steps: [{ step: 'opened' }, { step: 'worse', value: 60 }, { step: 'closed', value: 0 }],
    })
    expect(await readIncidents({ state: 'open' })).toEqual([])
    const data = { feed_id: feed, operator: 'swift', incident_id: open!.incident_id, rule: 'feed_failing' }
    expect(await listReceivedEvents(app)).toEqual([
      { type: 'feed.down', data },
      { type: 'feed.recovered', data },
    ])
  })

  it('reopens if it recurs within six hours, and is a new one later', async () => {
    await setProblem(clock - hourMs)
    await advance(minuteMs)
    const first = await readNewest()
    await setProblem(null)
    await advance(minuteMs)
    await setProblem(clock - hourMs)
    await advance(5 * hourMs)
    expect(await readNewest()).toMatchObject({
      incident_id: first.incident_id,
      closed_time: null,
      steps: [{ step: 'opened' }, { step: 'closed' }, { step: 'reopened' }],
    })
    await setProblem(null)
    await advance(minuteMs)
    await setProblem(clock - hourMs)
    await advance(7 * hourMs)
    expect((await readNewest()).incident_id).not.toBe(first.incident_id)
  })

  it('closes when its feed is switched off', async () => {
    await setProblem(clock - hourMs)
    await advance(minuteMs)
    await app.state.as(systemScope).updateTable('feed').set({ enabled: false }).execute()
    await advance(minuteMs)
    expect((await readNewest()).steps.at(-1)).toMatchObject({
      step: 'closed',
      text: 'The feed is switched off or gone.',
    })
    await app.state.as(systemScope).updateTable('feed').set({ enabled: true }).execute()
  })

  it('is acknowledged and commented on with the user’s name', async () => {
    await setProblem(clock - hourMs)
    await advance(minuteMs)
    const { incident_id } = await readNewest()
    const incidentInput = { params: { ...params, incident_id } }
    await health.callAs(city.viewer, acknowledgeIncident, incidentInput)
    await health.callAs(city.planner, acknowledgeIncident, incidentInput)
    const commented = await health.callAs(city.planner, commentIncident, {
      ...incidentInput,
      body: { text: ' They know. ' },
    })
    expect(commented).toMatchObject({ acknowledged_by: 'viewer@alder.example' })
    expect(commented.steps.slice(1)).toMatchObject([
      { step: 'acknowledged', by: 'viewer@alder.example' },
      { step: 'commented', by: 'planner@alder.example', text: 'They know.' },
    ])
    expect(
      (await health.send(city.planner, commentIncident, { ...incidentInput, body: { text: ' ' } })).status,
    ).toBe(422)
    expect((await health.send(city.stranger, acknowledgeIncident, incidentInput)).status).toBe(404)
    expect(
      (await health.send(city.stranger, commentIncident, { ...incidentInput, body: { text: 'x' } })).status,
    ).toBe(404)
    expect((await health.send(city.stranger, listIncidents, { params })).status).toBe(404)
    await setProblem(null)
    await advance(minuteMs)
    expect((await health.send(city.viewer, acknowledgeIncident, incidentInput)).status).toBe(409)
  })

  it('opens on records that break the standard, and on trips that never end', async () => {
    const batch = {
      organizationId: city.organizations.alder,
      regionId: 'alder',
      operator: 'swift',
      feedId: feed,
      received: clock,
    }
    const events = Array.from({ length: 60 }, (_, vehicle) =>
      makeEvent('swift', 100 + vehicle, clock - 27 * hourMs, {
        state: 'on_trip',
        types: ['trip_start'],
        tripIds: [`${String(vehicle).padStart(8, '0')}-0000-4000-9000-000000000000`],
      }),
    )
    await storeRecords(health.fleetIngest, batch, {
      events,
      findings: [1, 2].map((at) => ({
        kind: 'schema' as const,
        recordId: `r${at}`,
        field: '',
        reason: 'No object.',
        raw: '1',
      })),
    })
    await advance(5 * minuteMs)
    const open = await readIncidents({ state: 'open' })
    expect(open.map(({ rule, feed_id }) => [rule, feed_id !== null]).toSorted()).toEqual([
      ['schema_violations', true],
      ['trips_without_end', false],
    ])
    expect(open.find(({ rule }) => rule === 'trips_without_end')).toMatchObject({
      value: 100,
      feed_name: null,
    })
    // Good records replace them, so both incidents close.
    await storeRecords(
      health.fleetIngest,
      { ...batch, received: clock },
      {
        events: events.map((event, index) =>
          makeEvent('swift', 100 + index, event.time + 600_000, { tripIds: event.tripIds }),
        ),
      },
    )
    await storeRecords(
      health.fleetIngest,
      { ...batch, received: clock },
      { events: Array.from({ length: 300 }, (_, index) => makeEvent('swift', 500 + index, clock - hourMs)) },
    )
    await advance(5 * minuteMs)
    expect((await readIncidents({ state: 'open' })).map(({ rule }) => rule)).toEqual([])
  })
})

describe('an incident email', () => {
  it('is sent once to subscribers at opening and closing, also after a restart', async () => {
    await subscribe(city.viewer, 'immediate')
    await subscribe(city.viewer, 'daily', { ...params, operator: 'swift' })
    await subscribe(city.planner, 'immediate', { ...params, operator: 'other' })
    await subscribe(city.stranger, 'immediate', { region_id: null })
    await setProblem(clock - hourMs)
    await advance(minuteMs)
    await advance(minuteMs)
    const again = await openTestHealth(app)
    await again.evaluateRules(new Date(clock + minuteMs))
    expect([health.mails.map(({ to }) => to), again.mails]).toEqual([['viewer@alder.example'], []])
    expect(health.mails[0]).toMatchObject({ subject: 'Opened: Feed fails (swift, swift feed) in Alder' })
    expect(health.mails[0]?.text).toContain('http://city.example/alder/mobility/data-health')
    await setProblem(null)
    await advance(5 * minuteMs)
    await again.close()
    expect(health.mails.map(({ subject }) => subject)).toEqual([
      'Opened: Feed fails (swift, swift feed) in Alder',
      'Closed: Feed fails (swift, swift feed) in Alder',
    ])
  })

  it('is sent at the next evaluation if it could not be sent', async () => {
    await subscribe(city.planner, 'immediate', { region_id: null })
    health.mailIsDown = true
    await setProblem(clock - hourMs)
    await advance(minuteMs)
    expect(health.mails).toEqual([])
    health.mailIsDown = false
    await advance(minuteMs)
    await advance(minuteMs)
    expect(health.mails.map(({ to }) => to)).toEqual(['planner@alder.example'])
  })

  it('is sent once a morning with all incidents of the day', async () => {
    await subscribe(city.viewer, 'daily')
    clock = Date.parse(`${new Date(clock).toISOString().slice(0, 10)}T09:00:00Z`) // Five in the morning.
    await setProblem(clock - hourMs)
    await advance(minuteMs)
    await setProblem(null)
    await advance(minuteMs)
    expect(health.mails).toEqual([])
    await advance(2 * hourMs)
    expect(health.mails.map(({ subject }) => subject)).toEqual(['Data health of the day: 2 changes in Alder'])
    await setProblem(clock - 9 * hourMs)
    await advance(8 * hourMs)
    expect(health.mails).toHaveLength(1)
    await advance(16 * hourMs)
    expect(health.mails).toHaveLength(2)
  })

  it('is never sent to users who are disabled or may not see the region', async () => {
    await subscribe(city.viewer, 'immediate')
    await subscribe(city.planner, 'immediate', { region_id: null })
    const { id } = await call(app, city.viewer, getMe)
    await app.state
      .as(systemScope)
      .updateTable('user')
      .set({ allRegions: false })
      .where('id', '=', id)
      .execute()
    await app.state
      .as(systemScope)
      .updateTable('user')
      .set({ disabled: true })
      .where('email', '=', 'planner@alder.example')
      .execute()
    await setProblem(clock - hourMs)
    await advance(minuteMs)
    expect(health.mails).toEqual([])
    await app.state
      .as(systemScope)
      .updateTable('user')
      .set({ allRegions: true, disabled: false })
      .where('organizationId', '=', city.organizations.alder)
      .execute()
  })

  it('is sent to a user of an operator only about that operator, even if the limit was set after queueing', async () => {
    await subscribe(city.viewer, 'immediate')
    await subscribe(city.planner, 'daily')
    const limit = (email: string, operators: string[] | null) =>
      app.state
        .as(systemScope)
        .updateTable('user')
        .set({ operators: operators && JSON.stringify(operators) })
        .where('email', '=', email)
        .execute()
    await limit('viewer@alder.example', ['other'])
    clock = Date.parse(`${new Date(clock).toISOString().slice(0, 10)}T09:00:00Z`)
    await setProblem(clock - hourMs)
    await advance(minuteMs)
    await limit('planner@alder.example', ['other'])
    await advance(3 * hourMs)
    expect(health.mails).toEqual([])
    await limit('viewer@alder.example', ['swift'])
    await setProblem(null)
    await advance(5 * minuteMs)
    expect(health.mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['viewer@alder.example', 'Closed: Feed fails (swift, swift feed) in Alder'],
    ])
    expect(
      (
        await health.send(city.viewer, setIncidentSubscription, {
          body: { ...params, operator: 'other', cadence: 'daily' },
        })
      ).status,
    ).toBe(422)
    for (const email of ['viewer@alder.example', 'planner@alder.example']) await limit(email, null)
  })

  it('can be unsubscribed by its link, without a sign-in', async () => {
    await subscribe(city.viewer, 'immediate')
    await setProblem(clock - hourMs)
    await advance(minuteMs)
    const token = findToken(health.mails[0]?.text ?? '')
    expect(await health.callAs(null, endIncidentSubscription, { body: { token } })).toEqual({ ended: true })
    expect(await health.callAs(null, endIncidentSubscription, { body: { token } })).toEqual({ ended: true })
    expect((await health.send(null, endIncidentSubscription, { body: { token: 'x' } })).status).toBe(422)
    expect((await health.callAs(city.viewer, listIncidentSubscriptions)).items).toEqual([])
    await setProblem(null)
    await advance(minuteMs)
    expect(health.mails).toHaveLength(1)
  })
})

describe('a subscription to incidents', () => {
  it('is for one region, one operator or all, each once', async () => {
    await subscribe(city.viewer, 'immediate')
    await subscribe(city.viewer, 'daily')
    await subscribe(city.viewer, 'immediate', { ...params, operator: 'swift' })
    const { items } = await subscribe(city.viewer, 'immediate', { region_id: null })
    expect(items.map(({ region_id, operator, cadence }) => [region_id, operator, cadence])).toEqual(
      expect.arrayContaining([
        ['alder', null, 'daily'],
        ['alder', 'swift', 'immediate'],
        [null, null, 'immediate'],
      ]),
    )
    expect(items).toHaveLength(3)
    expect((await subscribe(city.viewer, null, { ...params, operator: 'swift' })).items).toHaveLength(2)
    expect((await health.callAs(city.planner, listIncidentSubscriptions)).items).toEqual([])
  })
  it('is rejected for unknown or invisible regions and operators', async () => {
    expect(
      (
        await health.send(city.viewer, setIncidentSubscription, {
          body: { region_id: 'cedar', operator: null, cadence: 'daily' },
        })
      ).status,
    ).toBe(404)
    expect(
      (
        await health.send(city.viewer, setIncidentSubscription, {
          body: { region_id: null, operator: 'swift', cadence: 'daily' },
        })
      ).status,
    ).toBe(422)
    expect(
      (
        await health.send(null, setIncidentSubscription, {
          body: { region_id: 'alder', operator: null, cadence: 'daily' },
        })
      ).status,
    ).toBe(401)
  })
  it('is visible to colleagues with its other recipients, but not to operators', async () => {
    const users = app.state.as(systemScope).updateTable('user')
    const setOperators = (operators: string | null) =>
      users.set({ operators }).where('email', '=', city.planner.email).execute()
    const read = async (as: TestCity['viewer'], operator = 'swift') => {
      const query = { operator }
      const { items, total } = await health.callAs(as, listIncidentRecipients, { params, query })
      expect(total).toBe(items.length)
      return items.map(({ email }) => email)
    }
    await subscribe(city.viewer, 'daily')
    await subscribe(city.planner, 'immediate', { ...params, operator: 'swift' })
    await subscribe(city.stranger, 'immediate', { region_id: null })
    expect(await read(city.admin)).toEqual([city.planner.email, city.viewer.email])
    expect(await read(city.viewer)).toEqual([city.planner.email])
    expect(await read(city.admin, 'lark')).toEqual([city.viewer.email])
    expect(
      (await health.send(city.stranger, listIncidentRecipients, { params, query: { operator: 'swift' } }))
        .status,
    ).toBe(404)
    await setOperators('["swift"]')
    expect(await read(city.planner)).toEqual([])
    expect(await read(city.viewer)).toEqual([city.planner.email])
    // A limited user gets no email about another operator.
    await subscribe(city.viewer, null)
    await app.state.as(systemScope).updateTable('subscription').set({ operator: null }).execute()
    expect(await read(city.admin, 'lark')).toEqual([])
    await setOperators(null)
    await users.set({ disabled: true }).where('email', '=', city.planner.email).execute()
    expect(await read(city.admin)).toEqual([])
    await users.set({ disabled: false }).where('email', '=', city.planner.email).execute()
  })
})

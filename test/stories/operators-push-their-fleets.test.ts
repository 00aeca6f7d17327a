import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listAgencyTokens, makeAgencyToken, revokeAgencyToken } from '#server/feeds/agency/tokens.ts'
import { regionScope } from '#server/identity/scope.ts'
import { Registry } from '#server/fleet/events/registry.ts'
import { bind, facts, latest, sql } from '#server/stores/sql.ts'
import {
  type AgencyRequest,
  sendToAgency,
  openTestAgency,
  organizationId,
  type TestAgency,
} from '../agency.ts'
import { insertFeed } from '../store-region.ts'
import * as samples from '../mds-samples.ts'

let agency: TestAgency
beforeAll(async () => {
  agency = await openTestAgency()
})
afterAll(() => agency.close())

const { uuid } = samples
/** Offset of ids, so that each test has its own devices. */
let base = 0
beforeEach(() => {
  base += 10_000
})
const makeId = (n: number): string => uuid(base + n)
const as = (operator: 'lark' | 'heron', overrides: AgencyRequest = {}): AgencyRequest => ({
  token: agency[operator].token,
  ...overrides,
})
const post = (url: string, body: unknown, request = as('lark')) =>
  sendToAgency(agency, 'POST', url, body, request)
const put = (url: string, body: unknown, request = as('lark')) =>
  sendToAgency(agency, 'PUT', url, body, request)
const get = (url: string, request = as('lark')) => sendToAgency(agency, 'GET', url, undefined, request)
const makeVehicle = (n: number, overrides: Record<string, unknown> = {}) =>
  samples.vehicle(1, { device_id: makeId(n), vehicle_id: `LK-${base + n}`, ...overrides })
const makeEvent = (n: number, overrides: Record<string, unknown> = {}) =>
  samples.event(1, {
    device_id: makeId(1),
    event_id: makeId(1000 + n),
    timestamp: samples.sampleTime + n * 1000,
    ...overrides,
  })
const countRows = async (
  table: 'vehicle_events' | 'telemetry' | 'trip_reports' | 'feed_findings' | 'stops' | 'operator_reports',
  where = sql`1 = 1`,
): Promise<number> =>
  Number(
    (
      await agency.facts.rows<{ n: string }>(
        agency.scope,
        sql`select toString(count()) as n from ${facts(table)} where ${where}`,
      )
    )[0]?.n,
  )

describe('the MDS 2.0 Agency API', () => {
  it('registers, changes and returns vehicles', async () => {
    const registered = await post('/vehicles', [makeVehicle(1), makeVehicle(2)])
    expect([registered.statusCode, registered.json()]).toEqual([201, { success: 2, total: 2, failures: [] }])
    expect(registered.headers['content-type']).toBe('application/vnd.mds+json;version=2.0')
    const changed = await put('/vehicles', {
      version: '2.0.0',
      vehicles: [makeVehicle(1, { vehicle_id: 'NEW-1' })],
    })
    expect([changed.statusCode, changed.json()]).toEqual([200, { success: 1, total: 1, failures: [] }])
    expect((await get(`/vehicles/${makeId(1).toUpperCase()}`)).json()).toEqual({
      version: '2.0',
      vehicles: [makeVehicle(1, { vehicle_id: 'NEW-1' })],
    })
    const all = (await get('/vehicles')).json<{ vehicles: { device_id: string }[] }>()
    expect(all.vehicles.map(({ device_id }) => device_id)).toEqual(
      expect.arrayContaining([makeId(1), makeId(2)]),
    )
  })

  it('treats HEAD as a read', async () => {
    const readLimit = async (method: 'GET' | 'HEAD' | 'POST') =>
      (
        await agency.http.inject({
          method,
          url: '/mds/agency/vehicles',
          headers: { authorization: `Bearer ${agency.lark.token}` },
        })
      ).headers['ratelimit-limit']
    const [read, head, write] = [await readLimit('GET'), await readLimit('HEAD'), await readLimit('POST')]
    expect(Number(read)).toBeGreaterThan(Number(write))
    expect(head).toBe(read)
  })

  it('reports registered, unregistered, invalid and missing items one by one, and stores valid ones', async () => {
    expect((await post('/vehicles', [makeVehicle(1)])).statusCode).toBe(201)
    const mixed = await post('/vehicles', [
      makeVehicle(1),
      makeVehicle(2),
      makeVehicle(3, { vehicle_type: 'hovercraft' }),
      makeVehicle(4, { vehicle_id: undefined }),
      makeVehicle(2),
    ])
    expect(mixed.statusCode).toBe(201)
    expect(mixed.json()).toMatchObject({
      success: 1,
      total: 5,
      failures: [
        {
          item: makeVehicle(1),
          error: 'already_registered',
          error_description: 'A vehicle with that device_id is already registered.',
        },
        { item: { device_id: makeId(3) }, error: 'bad_param', error_details: ['vehicle_type'] },
        { item: { device_id: makeId(4) }, error: 'missing_param', error_details: ['vehicle_id'] },
        { item: makeVehicle(2), error: 'already_registered' },
      ],
    })
    expect((await get(`/vehicles/${makeId(2)}`)).statusCode).toBe(200)
    const again = await post('/vehicles', [makeVehicle(1), makeVehicle(2)])
    expect([again.statusCode, again.json<{ success: number }>().success]).toEqual([409, 0])
    expect((await post('/vehicles', [makeVehicle(1), {}])).statusCode).toBe(400)
    const unknown = await put('/vehicles', [makeVehicle(9)])
    expect([unknown.statusCode, unknown.json()]).toMatchObject([
      400,
      {
        success: 0,
        total: 1,
        failures: [{ error: 'unregistered', error_description: 'This device_id is not registered.' }],
      },
    ])
  })

  it('stores events, telemetry and trips of registered vehicles before it responds', async () => {
    await post('/vehicles', [makeVehicle(1)])
    const before = await countRows('vehicle_events')
    const pushed = await post('/events', [
      makeEvent(1),
      makeEvent(2, { device_id: makeId(7) }),
      makeEvent(3, { event_types: ['flight'] }),
      makeEvent(4, { vehicle_state: 'available', event_types: ['trip_end'] }),
    ])
    expect([pushed.statusCode, pushed.json()]).toMatchObject([
      201,
      {
        success: 2,
        total: 4,
        failures: [
          { error: 'unregistered', error_details: ['device_id'] },
          { error: 'bad_param', error_details: ['event_types'] },
        ],
      },
    ])
    expect(await countRows('vehicle_events')).toBe(before + 2)
    const point = samples.telemetry(1, { device_id: makeId(1), telemetry_id: makeId(2000) })
    expect((await post('/telemetry', { telemetry: [point] })).json()).toEqual({
      success: 1,
      total: 1,
      failures: [],
    })
    expect(
      (await post('/trips', [samples.trip(1, { device_id: makeId(1), trip_id: makeId(3000) })])).statusCode,
    ).toBe(201)
    expect(
      (await post('/trips', [samples.trip(1, { device_id: makeId(8), trip_id: makeId(3001) })])).statusCode,
    ).toBe(400)
    const status = (await get(`/vehicles/status/${makeId(1)}`)).json<{
      version: string
      vehicles_status: { last_event: unknown; last_telemetry: unknown }[]
    }>()
    expect(status).toMatchObject({
      version: '2.0',
      vehicles_status: [
        {
          device_id: makeId(1),
          provider_id: samples.providerId,
          last_event: {
            event_id: makeId(1004),
            vehicle_state: 'available',
            timestamp: samples.sampleTime + 4000,
            trip_ids: [uuid(500)],
          },
          last_telemetry: { telemetry_id: makeId(2000), trip_ids: [uuid(500)] },
        },
      ],
    })
    expect(
      (await get('/vehicles/status')).json<{ vehicles_status: unknown[] }>().vehicles_status,
    ).toContainEqual(status.vehicles_status[0])
    expect((await get(`/vehicles/status/${makeId(5)}`)).statusCode).toBe(404)
    await agency.fleetIngest.whenDerived()
  })

  it('recognizes stored vehicle records after a restart without loading them', async () => {
    const odd = makeVehicle(1, {
      vehicle_id: 'Ä\t\\N "1"',
      vehicle_attributes: { note: '\ud800 \u0000 \u{1f6f4}' },
    })
    expect((await post('/vehicles', [odd])).statusCode).toBe(201)
    const registry = new Registry(agency.facts)
    const readRecord = (item: object) =>
      ({
        operator: 'lark',
        deviceId: makeId(1),
        vehicleId: 'Ä\t\\N "1"',
        vehicleType: 'scooter_standing',
        mode: 'micromobility',
        propulsionTypes: ['electric'],
        attributes: JSON.stringify(item),
      }) as const
    expect(await registry.findNew(agency.scope, 'broadtown', [readRecord(odd)])).toEqual({
      vehicles: [],
      retyped: [],
    })
    expect(
      (await registry.findNew(agency.scope, 'broadtown', [readRecord(makeVehicle(1))])).vehicles,
    ).toHaveLength(1)
    expect(await registry.find(agency.scope, 'broadtown', 'lark', [makeId(1), makeId(77)])).toEqual(
      new Set([makeId(1)]),
    )
    expect((await get(`/vehicles/${makeId(1)}`)).json()).toEqual({ version: '2.0', vehicles: [odd] })
  })

  it('retains the first reception time of a repeated event, not of a corrected one', async () => {
    await post('/vehicles', [makeVehicle(1)])
    const [first, at] = [agency.clock.at, agency.clock.at]
    const listReceipts = async () =>
      (
        await agency.facts.rows<{ id: string; late: string }>(
          agency.scope,
          sql`select toString(event_id) as id, toString(toUnixTimestamp64Milli(received_time) - ${bind('Int64', first)}) as late from ${latest('vehicle_events')} where device_id = ${bind('UUID', makeId(1))} order by id`,
        )
      ).map(({ late }) => Number(late))
    await post('/events', [makeEvent(1), makeEvent(2)])
    for (const later of [3_600_000, 7_200_000]) {
      agency.clock.at = at + later
      await post('/events', [makeEvent(1), makeEvent(2), makeEvent(3)])
    }
    expect(await listReceipts()).toEqual([0, 0, 3_600_000])
    await post('/events', [makeEvent(2, { publication_time: at + 1000, battery_percent: 3 })])
    expect(await listReceipts()).toEqual([0, 7_200_000, 3_600_000])
    agency.clock.at = at
    await agency.fleetIngest.whenDerived()
  })

  it('stores findings, which can be read later', async () => {
    const before = await countRows('feed_findings')
    await post('/events', [makeEvent(1), {}])
    expect(await countRows('feed_findings')).toBe(before + 2)
    const rows = await agency.facts.rows<{ reason: string }>(
      agency.scope,
      sql`select reason from ${facts('feed_findings')} where record_id = 'events[1]'`,
    )
    expect(rows.at(-1)?.reason).toContain('device_id is missing')
  })

  it('registers stops, changes them in part, and returns them', async () => {
    const stop = samples.stop(1, { stop_id: makeId(1) })
    expect((await post('/stops', [stop])).statusCode).toBe(201)
    expect((await post('/stops', [stop])).json()).toMatchObject({
      failures: [
        { error: 'already_registered', error_description: 'A stop with that stop_id is already registered.' },
      ],
    })
    expect((await post('/stops', [stop])).statusCode).toBe(409)
    const change = {
      stop_id: makeId(1),
      last_updated: samples.sampleTime + 30_000,
      num_vehicles_available: { bicycle: 2 },
      name: 'Renamed',
    }
    const changed = await put('/stops', [change, { ...change, stop_id: makeId(9) }, { stop_id: makeId(1) }])
    expect([changed.statusCode, changed.json()]).toMatchObject([
      200,
      {
        success: 1,
        total: 3,
        failures: [{ error: 'unregistered' }, { error: 'missing_param', error_details: ['last_updated'] }],
      },
    ])
    // The name of a stop cannot be changed.
    expect((await get(`/stops/${makeId(1)}`)).json()).toEqual({
      version: '2.0',
      stops: [{ ...stop, last_updated: samples.sampleTime + 30_000, num_vehicles_available: { bicycle: 2 } }],
    })
    expect((await get('/stops')).json<{ stops: unknown[] }>().stops).toHaveLength(1)
    expect((await get(`/stops/${makeId(9)}`)).statusCode).toBe(404)
    expect((await get('/stops', as('heron'))).json()).toEqual({ version: '2.0', stops: [] })
  })

  it('stores reports sent as CSV', async () => {
    const report = await post(
      '/reports',
      samples.report([samples.reportRow(), samples.reportRow(3.5)]),
      as('lark', { type: 'text/csv' }),
    )
    expect([report.statusCode, report.json()]).toMatchObject([
      201,
      { success: 1, total: 2, failures: [{ error: 'bad_param', error_details: ['trip_count'] }] },
    ])
    expect(await countRows('operator_reports', sql`start_date > '2000-01-01'`)).toBe(1)
    expect(
      (await post('/reports', 'a,b', as('lark', { type: 'text/vnd.mds+csv;version=2.0' }))).json(),
    ).toMatchObject({ error: 'bad_param', error_details: ['header'] })
    expect((await post('/reports', samples.report([]), as('lark', { type: 'text/csv' }))).statusCode).toBe(
      400,
    )
    expect((await post('/reports', samples.report([]))).json()).toMatchObject({
      error_details: ['Content-Type'],
    })
  })
})

describe('the MDS 1.2 Agency API', () => {
  const earlier = (operator: 'lark' | 'heron' = 'lark') => as(operator, { version: '1.2' })
  it('registers vehicles one by one', async () => {
    const registration = samples.registration(1, { device_id: makeId(1) })
    const made = await post('/vehicles', registration, earlier())
    expect([made.statusCode, made.body]).toEqual([201, ''])
    expect(
      await post('/vehicles', registration, earlier()).then(({ statusCode, json }) => [
        statusCode,
        json<object>(),
      ]),
    ).toMatchObject([409, { error: 'already_registered', error_details: ['device_id'] }])
    expect(
      (await post('/vehicles', samples.registration(1, { device_id: 'x', mfgr: 7 }), earlier())).json(),
    ).toMatchObject({ error: 'bad_param', error_details: ['device_id', 'mfgr'] })
    expect((await post('/vehicles', { device_id: makeId(2) }, earlier())).json()).toMatchObject({
      error: 'missing_param',
      error_details: ['vehicle_id', 'vehicle_type', 'propulsion_types'],
    })
    const renamed = await put(`/vehicles/${makeId(1)}`, { vehicle_id: 'NEW' }, earlier())
    expect([renamed.statusCode, renamed.body]).toEqual([200, ''])
    expect((await put(`/vehicles/${makeId(1)}`, {}, earlier())).json()).toMatchObject({
      error: 'missing_param',
      error_details: ['vehicle_id'],
    })
    expect((await put(`/vehicles/${makeId(7)}`, { vehicle_id: 'NEW' }, earlier())).statusCode).toBe(404)
    expect((await get(`/vehicles/${makeId(1)}`, earlier())).json()).toEqual({
      vehicles: [
        {
          ...registration,
          provider_id: samples.providerId,
          vehicle_id: 'NEW',
          state: 'removed',
          prev_events: [],
        },
      ],
    })
    const nobody = await get(`/vehicles/${makeId(7)}`, earlier())
    expect([nobody.statusCode, nobody.body]).toEqual([404, ''])
  })

  it('renames a vehicle of 2.0, and returns it in its own form', async () => {
    await post('/vehicles', [makeVehicle(1)])
    expect((await put(`/vehicles/${makeId(1)}`, { vehicle_id: 'NEW' }, earlier())).statusCode).toBe(200)
    expect((await get(`/vehicles/${makeId(1)}`)).json()).toEqual({
      version: '2.0',
      vehicles: [makeVehicle(1, { vehicle_id: 'NEW' })],
    })
    expect((await get(`/vehicles/${makeId(1)}`, earlier())).json()).toMatchObject({
      vehicles: [{ vehicle_type: 'scooter', vehicle_id: 'NEW' }],
    })
  })

  it('stores events and telemetry', async () => {
    await post('/vehicles', samples.registration(1, { device_id: makeId(1) }), earlier())
    const pushed = samples.pushedEvent(1, { telemetry: samples.pushedPoint(1, { device_id: makeId(1) }) })
    const stored = await post(`/vehicles/${makeId(1)}/event`, pushed, earlier())
    expect([stored.statusCode, stored.json()]).toEqual([201, { device_id: makeId(1), state: 'on_trip' }])
    expect((await get(`/vehicles/${makeId(1)}`, earlier())).json()).toMatchObject({
      vehicles: [{ state: 'on_trip', prev_events: ['trip_start'], updated: samples.sampleTime + 1000 }],
    })
    expect((await get('/vehicles', earlier())).json<{ vehicles: unknown[]; links: object }>()).toMatchObject({
      vehicles: expect.arrayContaining([
        expect.objectContaining({ device_id: makeId(1), state: 'on_trip' }),
      ]) as unknown,
      links: { next: null },
    })
    const stranger = await post(
      `/vehicles/${makeId(7)}/event`,
      { ...pushed, telemetry: samples.pushedPoint(1, { device_id: makeId(7) }) },
      earlier(),
    )
    expect([stranger.statusCode, stranger.json()]).toMatchObject([400, { error: 'unregistered' }])
    expect(
      (await post(`/vehicles/${makeId(1)}/event`, { ...pushed, trip_id: undefined }, earlier())).json(),
    ).toMatchObject({ error: 'missing_param', error_details: ['trip_id'] })
    expect((await post('/vehicles/here/event', pushed, earlier())).json()).toMatchObject({
      error: 'bad_param',
      error_details: ['device_id'],
    })

    const points = [
      samples.pushedPoint(1, { device_id: makeId(1) }),
      samples.pushedPoint(2, { device_id: makeId(7) }),
      samples.pushedPoint(3, { device_id: makeId(1), gps: { lat: 100, lng: 0 } }),
    ]
    const telemetry = await post('/vehicles/telemetry', { data: points }, earlier())
    expect([telemetry.statusCode, telemetry.json()]).toEqual([
      200,
      { success: 1, total: 3, failures: [points[1], points[2]] },
    ])
    expect((await post('/vehicles/telemetry', { data: [points[1]] }, earlier())).json()).toEqual({
      error: 'unregistered',
      error_description: 'Some of the devices are unregistered.',
      error_details: [makeId(7)],
      id: expect.any(String),
    })
    const none = await post('/vehicles/telemetry', { data: [points[1], points[2]] }, earlier())
    expect([none.statusCode, none.json()]).toMatchObject([
      400,
      { error: 'invalid_data', error_description: 'None of the provided data was valid.' },
    ])
    expect((await post('/vehicles/telemetry', {}, earlier())).json()).toMatchObject({
      error: 'missing_param',
      error_details: ['data'],
    })
    await agency.fleetIngest.whenDerived()
  })

  it('stores all stops of a request or none', async () => {
    const [first, second] = [
      samples.earlierStop(1, { stop_id: makeId(1) }),
      samples.earlierStop(1, { stop_id: makeId(2) }),
    ]
    expect(
      (await post('/stops', { stops: [first, { ...second, name: undefined }] }, earlier())).json(),
    ).toMatchObject({ error: 'missing_param', error_details: ['name'] })
    expect((await get(`/stops/${makeId(1)}`, earlier())).statusCode).toBe(404)
    const made = await post('/stops', { stops: [first] }, earlier())
    expect([made.statusCode, made.body]).toEqual([201, ''])
    const again = await post('/stops', [first, second], earlier())
    expect([again.statusCode, again.json<{ error: string }>().error]).toEqual([409, 'already_registered'])
    expect((await get(`/stops/${makeId(2)}`, earlier())).statusCode).toBe(404)
    const changed = await put(
      '/stops',
      {
        stops: [
          { stop_id: makeId(1), status: { is_installed: false, is_renting: false, is_returning: false } },
        ],
      },
      earlier(),
    )
    expect([changed.statusCode, changed.body]).toEqual([200, ''])
    expect((await get(`/stops/${makeId(1)}`, earlier())).json()).toMatchObject({
      stops: [{ stop_id: makeId(1), status: { is_installed: false } }],
    })
    expect((await put('/stops', [{ stop_id: makeId(5) }], earlier())).statusCode).toBe(404)
  })

  it('has calls that 2.0 does not have, and vice versa', async () => {
    expect((await post('/events', [makeEvent(1)], earlier())).json()).toMatchObject({
      error: 'not_found',
      error_description: 'MDS 1.2 has no POST /events.',
    })
    expect((await post(`/vehicles/${makeId(1)}/event`, {})).json()).toMatchObject({
      error_description: 'MDS 2.0 has no POST /vehicles/{id}/event.',
    })
  })
})

describe('a sender', () => {
  it('is identified by a token only', async () => {
    const unknown: Record<string, string>[] = [
      {},
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${'x'.repeat(43)}` },
      { authorization: `Basic ${agency.lark.token}` },
      { authorization: agency.lark.token },
      { cookie: `token=${agency.lark.token}` },
    ]
    for (const headers of unknown) {
      const response = await sendToAgency(agency, 'POST', '/events', [makeEvent(1)], { headers })
      expect([response.statusCode, response.headers['www-authenticate'], response.json()]).toEqual([
        401,
        'Bearer',
        {
          error: 'unauthorized',
          error_description: expect.stringMatching(/needs an API key|API key is unknown/),
          error_details: ['Authorization'],
          id: expect.any(String),
        },
      ])
      expect(response.body).not.toContain('xxxx')
    }
    const stored = await agency.state.library.selectFrom('api_key').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(agency.lark.token)
  })

  it('reads and writes its own vehicles only', async () => {
    await post('/vehicles', [makeVehicle(1)])
    expect((await get(`/vehicles/${makeId(1)}`, as('heron'))).statusCode).toBe(404)
    expect((await get(`/vehicles/status/${makeId(1)}`, as('heron'))).statusCode).toBe(404)
    expect((await post('/events', [makeEvent(1)], as('heron'))).json()).toMatchObject({
      success: 0,
      failures: [{ error: 'unregistered' }],
    })
    expect((await put('/vehicles', [makeVehicle(1)], as('heron'))).json()).toMatchObject({
      success: 0,
      failures: [{ error: 'unregistered' }],
    })
    // The same device of another operator is another vehicle.
    expect(
      (await post('/vehicles', [makeVehicle(1, { provider_id: uuid(3) })], as('heron'))).statusCode,
    ).toBe(201)
    expect(
      (await get('/vehicles', as('heron')))
        .json<{ vehicles: { provider_id: string }[] }>()
        .vehicles.map(({ provider_id }) => provider_id),
    ).toEqual([uuid(3)])
  })

  it('sends for its own provider only', async () => {
    expect((await post('/vehicles', [makeVehicle(1, { provider_id: uuid(3) })])).json()).toMatchObject({
      success: 0,
      failures: [{ error: 'bad_param', error_details: ['provider_id'] }],
    })
  })

  it('is rejected after the token is revoked or the feed switched off, and may have several tokens', async () => {
    const at = new Date(agency.clock.at)
    const second = await makeAgencyToken(agency.state.as(agency.scope), agency.lark.feedId, {
      actor: null,
      at,
    })
    expect((await get('/vehicles', { token: second.token })).statusCode).toBe(200)
    const listed = await listAgencyTokens(agency.state, agency.scope, agency.lark.feedId, at)
    expect(listed.find(({ tokenId }) => tokenId === second.tokenId)).toMatchObject({
      hint: second.token.slice(-4),
      createdTime: at.toISOString(),
      expiresTime: null,
      revokedTime: null,
    })
    expect(JSON.stringify(listed)).not.toContain(second.token)
    await revokeAgencyToken(agency.state, agency.scope, {
      feedId: agency.lark.feedId,
      tokenId: second.tokenId,
      actor: null,
      at,
    })
    expect((await get('/vehicles', { token: second.token })).statusCode).toBe(401)
    expect((await get('/vehicles')).statusCode).toBe(200)
    const setEnabled = (enabled: boolean) =>
      agency.state
        .as(agency.scope)
        .updateTable('feed')
        .set({ enabled })
        .where('feed_id', '=', agency.lark.feedId)
        .execute()
    await setEnabled(false)
    expect((await get('/vehicles')).statusCode).toBe(401)
    await setEnabled(true)
    expect((await get('/vehicles')).statusCode).toBe(200)
  })

  it('gets tokens only for push feeds in the Scope', async () => {
    const [at, elsewhere] = [new Date(agency.clock.at), regionScope(organizationId, 'elsewhere')]
    await expect(
      makeAgencyToken(agency.state.as(elsewhere), agency.lark.feedId, { actor: null, at }),
    ).rejects.toThrow('There is no such feed.')
    await expect(listAgencyTokens(agency.state, elsewhere, agency.lark.feedId, at)).rejects.toThrow(
      'There is no such feed.',
    )
    const [token] = await listAgencyTokens(agency.state, agency.scope, agency.lark.feedId, at)
    await expect(
      revokeAgencyToken(agency.state, elsewhere, {
        feedId: agency.lark.feedId,
        tokenId: token?.tokenId ?? '',
        actor: null,
        at,
      }),
    ).rejects.toThrow('There is no such feed.')
    const feed_id = await insertFeed(agency.state, {
      region_id: 'broadtown',
      operator: 'lark',
      kind: 'mds_provider',
      url: 'https://lark.example',
    })
    await expect(
      makeAgencyToken(agency.state.as(agency.scope), feed_id, { actor: null, at }),
    ).rejects.toThrow('Tokens are only for feeds of the kind MDS Agency')
  })
})

describe('the Agency API', () => {
  it('stores every push as received, even if it is unreadable', async () => {
    agency.kept.length = 0
    const body = '{"events":[ truncated'
    const broken = await post('/events?x=1', body)
    expect([broken.statusCode, broken.json()]).toMatchObject([
      400,
      { error: 'bad_param', error_details: ['body'] },
    ])
    await put('/vehicles', [makeVehicle(1)])
    await get('/vehicles')
    expect(
      agency.kept.map(({ stream, version, url, feedId, regionId, received }) => ({
        stream,
        version,
        url,
        feedId,
        regionId,
        received,
      })),
    ).toEqual([
      {
        stream: 'events',
        version: '2.0',
        url: 'POST /mds/agency/events',
        feedId: agency.lark.feedId,
        regionId: 'broadtown',
        received: agency.clock.at,
      },
      {
        stream: 'vehicles',
        version: '2.0',
        url: 'PUT /mds/agency/vehicles',
        feedId: agency.lark.feedId,
        regionId: 'broadtown',
        received: agency.clock.at,
      },
    ])
    expect(Buffer.from(agency.kept[0]?.body ?? []).toString()).toBe(body)
  })

  it.each([
    [
      'an unknown version',
      () => post('/events', [], as('lark', { version: '3.0' })),
      406,
      'unsupported_version',
    ],
    [
      'a version with its patch',
      () => post('/events', [], as('lark', { version: '2.0.2' })),
      406,
      'unsupported_version',
    ],
    [
      'a form',
      () => post('/events', 'a=b', as('lark', { type: 'application/x-www-form-urlencoded' })),
      400,
      'bad_param',
    ],
    ['no body', () => sendToAgency(agency, 'POST', '/events', undefined, as('lark')), 400, 'bad_param'],
    ['an empty list', () => post('/events', []), 400, 'bad_param'],
    ['one record that is no list', () => post('/events', makeEvent(1)), 400, 'missing_param'],
    [
      'too many records',
      () =>
        post(
          '/events',
          Array.from({ length: 20_001 }, () => 0),
        ),
      400,
      'bad_param',
    ],
    ['too long a body', () => post('/events', Buffer.alloc(16 * 1024 * 1024 + 1, ' ')), 413, 'bad_param'],
    ['an unknown path', () => post('/nothing', []), 404, 'not_found'],
    [
      'an unknown method',
      () => sendToAgency(agency, 'DELETE', '/vehicles', undefined, as('lark')),
      404,
      'not_found',
    ],
    ['an id that is none', () => get('/vehicles/a%00b'), 400, 'bad_param'],
    ['a path that is no text', () => get('/vehicles/%ff'), 400, undefined],
  ])('%s is refused', async (_name, send, status, error) => {
    const response = await send()
    expect([response.statusCode, response.json<{ error?: string }>().error]).toEqual([status, error])
  })

  it('accepts MDS media types and compressed bodies', async () => {
    const { gzipSync } = await import('node:zlib')
    expect(
      (
        await post(
          '/vehicles',
          [makeVehicle(1)],
          as('lark', { type: 'application/vnd.mds+json;version=2.0' }),
        )
      ).statusCode,
    ).toBe(201)
    const packed = await post(
      '/vehicles',
      gzipSync(JSON.stringify([makeVehicle(2)])),
      as('lark', { headers: { 'content-encoding': 'gzip' } }),
    )
    expect(packed.statusCode).toBe(201)
    const bomb = await post(
      '/vehicles',
      gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')),
      as('lark', { headers: { 'content-encoding': 'gzip' } }),
    )
    expect(bomb.statusCode).toBe(413)
  })

  it('responds without a server error to any body', async () => {
    const anything = fc.oneof(
      fc.json(),
      fc.string(),
      fc.json().map((text) => `[${text},${JSON.stringify(makeEvent(1))}]`),
      fc
        .anything({ maxDepth: 2 })
        .map(
          (value) =>
            JSON.stringify([
              samples.event(1, { location: value }),
              samples.stop(1, { capacity: value }),
              { device_id: value },
            ]) ?? '',
        ),
    )
    const paths = fc.constantFrom(
      '/vehicles',
      '/events',
      '/trips',
      '/telemetry',
      '/stops',
      '/reports',
      `/vehicles/${makeId(1)}/event`,
      '/vehicles/telemetry',
    )
    const types = fc.constantFrom('application/json', 'application/vnd.mds+json', 'text/csv')
    await fc.assert(
      fc.asyncProperty(
        paths,
        anything,
        types,
        fc.constantFrom('2.0', '1.2'),
        async (url, body, type, version) => {
          const { statusCode } = await post(url, body, as('lark', { type, version }))
          expect([200, 201, 400, 404, 409]).toContain(statusCode)
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 30) },
    )
    await agency.fleetIngest.whenDerived()
  })

  it('hides the details of an error of the stores', async () => {
    await post('/vehicles', [makeVehicle(1)])
    const { store } = agency.fleetIngest
    agency.fleetIngest.store = () => Promise.reject(new Error('the disk is full'))
    const failed = await post('/events', [makeEvent(1)])
    agency.fleetIngest.store = store
    expect([failed.statusCode, failed.json()]).toMatchObject([500, { error: 'server_error' }])
    expect(failed.body).not.toContain('disk')
    expect(agency.logged.join()).toContain('the disk is full')
    expect(agency.logged.join()).not.toContain(agency.lark.token)
    expect((await post('/events', [makeEvent(1)])).statusCode).toBe(201)
  })

  it('stores a hundred concurrent requests in few batches, each with its own response', async () => {
    await post('/vehicles', [makeVehicle(1)])
    const { store } = agency.fleetIngest
    let takes = 0
    agency.fleetIngest.store = (batch) => {
      takes++
      return store(batch)
    }
    const own = sql`device_id = ${bind('UUID', makeId(1))}`
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, n) => post('/events', [makeEvent(n), ...(n % 10 ? [] : [{}])])),
    )
    agency.fleetIngest.store = store
    expect(responses.map((response) => response.json<{ total: number }>().total)).toEqual(
      Array.from({ length: 100 }, (_, n) => (n % 10 ? 1 : 2)),
    )
    expect(await countRows('vehicle_events', own)).toBe(100)
    expect(takes).toBeLessThan(50)
  })

  it('accepts one of two concurrent registrations of a vehicle as the first', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => post('/vehicles', [makeVehicle(1)])))
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 409),
    ])
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { latest, sql } from '#server/stores/sql.ts'
import { readMds } from '#server/feeds/mds/read-mds.ts'
import {
  type AgencyRequest,
  sendToAgency,
  openTestAgency,
  organizationId,
  regionId,
  type TestAgency,
} from '../agency.ts'
import * as samples from '../mds-samples.ts'
import { hasSchemas, createValidator } from '../mds-schemas.ts'

let agency: TestAgency
beforeAll(async () => {
  agency = await openTestAgency()
})
afterAll(() => agency.close())

type Fields = Record<string, unknown>
const { sampleTime, uuid } = samples
/** Offset of ids, so that each test has its own stops. */
let base = 0
beforeEach(() => {
  base += 100_000
})
const makeId = (n: number): string => uuid(base + n)
const as = (operator: 'lark' | 'heron', version = '2.0'): AgencyRequest => ({
  token: agency[operator].token,
  version,
})
const post = (body: unknown, request = as('lark')) => sendToAgency(agency, 'POST', '/stops', body, request)
const put = (body: unknown, request = as('lark')) => sendToAgency(agency, 'PUT', '/stops', body, request)
const get = (path: string, request = as('lark')) =>
  sendToAgency(agency, 'GET', `/stops${path}`, undefined, request)
const makeStop = (n: number, overrides: Fields = {}): Fields =>
  samples.stop(1, { stop_id: makeId(n), ...overrides })
const makeChange = (n: number, overrides: Fields = {}): Fields => ({
  stop_id: makeId(n),
  last_updated: sampleTime + 30_000,
  ...overrides,
})
const readStop = async (n: number, request = as('lark')): Promise<unknown> =>
  (await get(`/${makeId(n)}`, request)).json<{ stops?: Fields[] }>().stops?.[0]
const readStoredStops = () =>
  agency.facts.rows<Fields>(
    agency.scope,
    sql`select region_id, operator, stop_id, name, lon, lat, attributes, toString(version) as version from ${latest('stops')} order by operator, stop_id`,
  )

/** Makes a stop with every field. */
const makeFullStop = (n: number): Fields =>
  makeStop(n, {
    geography_id: uuid(7),
    region_id: 'R-1',
    short_name: 'B&H',
    address: 'Broad St 1 "corner"',
    post_code: '43215',
    rental_methods: ['phone', 'key'],
    cross_street: 'High',
    num_places_available: { bicycle: 5 },
    num_places_disabled: { bicycle: 0 },
    parent_stop: uuid(8),
    devices: [uuid(1), uuid(2)],
    image_url: 'https://lark.example/stop.png',
    data_provider_id: uuid(9),
    location: samples.gps({ lat: 39.9, lng: -83 }),
  })

describe('the MDS 2.0 stops API', () => {
  it('returns one stop or all, with every field', async () => {
    const registered = await post({ version: '2.0.2', stops: [makeFullStop(1), makeStop(2)] })
    expect([registered.statusCode, registered.json()]).toEqual([201, { success: 2, total: 2, failures: [] }])
    expect(registered.headers['content-type']).toBe('application/vnd.mds+json;version=2.0')
    expect((await get(`/${makeId(1).toUpperCase()}`)).json()).toEqual({
      version: '2.0',
      stops: [makeFullStop(1)],
    })
    expect((await get('')).json()).toEqual({ version: '2.0', stops: [makeFullStop(1), makeStop(2)] })
    const unknown = await get(`/${makeId(9)}`)
    expect([unknown.statusCode, unknown.json()]).toEqual([
      404,
      {
        error: 'not_found',
        error_description: 'There is no such stop.',
        error_details: ['stop_id'],
        id: expect.any(String),
      },
    ])
  })

  it('stores a stop as if it had been pulled', async () => {
    const before = await readStoredStops()
    const { stops } = readMds(
      '2.0',
      'stops',
      { stops: [makeStop(1)] },
      { operator: 'heron', providerId: samples.providerId, received: agency.clock.at },
    )
    await agency.fleetIngest.store({
      organizationId,
      regionId,
      operator: 'heron',
      feedId: agency.heron.feedId,
      stream: 'stops',
      windowStart: sampleTime,
      received: agency.clock.at,
      records: { vehicles: [], events: [], trips: [], telemetry: [], stops, findings: [] },
    })
    await post([makeStop(1)])
    const [pulled, pushed] = (await readStoredStops()).filter(
      (row) => !before.some((old) => old['stop_id'] === row['stop_id']),
    )
    expect(pushed).toEqual({ ...pulled, operator: 'lark' })
    expect(pushed).toMatchObject({
      region_id: regionId,
      stop_id: makeId(1),
      name: 'Broad and High',
      lon: -83.001,
      lat: 39.962,
    })
    // Pushed and pulled stops are the same records.
    expect(
      (await put([makeChange(1, { num_vehicles_available: { bicycle: 9 } })], as('heron'))).statusCode,
    ).toBe(200)
    expect(await readStop(1, as('heron'))).toEqual(
      makeStop(1, { last_updated: sampleTime + 30_000, num_vehicles_available: { bicycle: 9 } }),
    )
  })

  it('reports each invalid stop with its reason, and stores valid ones', async () => {
    await post([makeStop(1)])
    const bad: [Fields, string, string[]][] = [
      [makeStop(1), 'already_registered', ['stop_id']],
      [makeStop(10, { location: { lat: 91, lng: -83 } }), 'bad_param', ['location.lat']],
      [makeStop(11, { location: { lat: 39, lng: '-83' } }), 'bad_param', ['location.lng']],
      [makeStop(12, { location: { lat: 39 } }), 'missing_param', ['location.lng']],
      [makeStop(13, { location: null }), 'missing_param', ['location']],
      [
        makeStop(14, { status: { is_installed: true, is_renting: 'yes', is_returning: true } }),
        'bad_param',
        ['status.is_renting'],
      ],
      [makeStop(15, { capacity: { hovercraft: 1 } }), 'bad_param', ['capacity']],
      [makeStop(16, { capacity: { bicycle: -1 } }), 'bad_param', ['capacity']],
      [
        makeStop(17, { num_vehicles_available: undefined, num_vehicles_disabled: undefined }),
        'missing_param',
        ['num_vehicles_available', 'num_vehicles_disabled'],
      ],
      [makeStop(18, { last_updated: 'now' }), 'bad_param', ['last_updated']],
      [makeStop(19, { devices: ['x'] }), 'bad_param', ['devices']],
      [makeStop(20, { rental_methods: ['shells'] }), 'bad_param', ['rental_methods']],
      [makeStop(21, { provider_id: uuid(3) }), 'bad_param', ['provider_id']],
      [makeStop(22, { name: 'x'.repeat(256) }), 'bad_param', ['name']],
      [makeStop(23, { stop_id: 'corner' }), 'bad_param', ['stop_id']],
    ]
    const mixed = await post([makeStop(2), ...bad.map(([item]) => item), makeStop(3), makeStop(3)])
    expect(mixed.statusCode).toBe(201)
    const { success, total, failures } = mixed.json<{ success: number; total: number; failures: Fields[] }>()
    expect([success, total]).toEqual([2, bad.length + 3])
    expect(failures.map(({ error, error_details }) => [error, error_details])).toEqual([
      ...bad.map(([, error, details]) => [error, details]),
      ['already_registered', ['stop_id']],
    ])
    expect(failures.map(({ item }) => item)).toEqual(
      JSON.parse(JSON.stringify([...bad.map(([item]) => item), makeStop(3)])),
    )
    expect([await readStop(2), await readStop(3), await readStop(10)]).toEqual([
      makeStop(2),
      makeStop(3),
      undefined,
    ])
    expect((await post([makeStop(1), makeStop(2)])).statusCode).toBe(409)
    expect((await post([makeStop(1), {}])).statusCode).toBe(400)
  })

  it('changes mutable fields only, and no unknown stop', async () => {
    await post([makeFullStop(1), makeStop(2)])
    const changes = {
      status: { is_installed: true, is_renting: false, is_returning: false },
      rental_methods: ['key'],
      num_vehicles_available: { bicycle: 2 },
      num_vehicles_disabled: {},
      num_places_available: { bicycle: 7 },
      num_places_disabled: { bicycle: 1 },
      devices: [uuid(3)],
    }
    const fixed = {
      name: 'Renamed',
      location: { lat: 0, lng: 0 },
      capacity: { bicycle: 99 },
      provider_id: uuid(3),
      image_url: 'x',
    }
    const changed = await put({
      stops: [
        makeChange(1, { ...changes, ...fixed }),
        makeChange(9),
        makeChange(2, { status: null }),
        makeChange(2, { num_vehicles_available: [] }),
        { stop_id: makeId(2), devices: [] },
      ],
    })
    expect([changed.statusCode, changed.json()]).toMatchObject([
      200,
      {
        success: 1,
        total: 5,
        failures: [
          {
            item: makeChange(9),
            error: 'unregistered',
            error_description: 'This stop_id is not registered.',
            error_details: ['stop_id'],
          },
          { error: 'missing_param', error_details: ['status'] },
          { error: 'bad_param', error_details: ['num_vehicles_available'] },
          { error: 'missing_param', error_details: ['last_updated'] },
        ],
      },
    ])
    expect([await readStop(1), await readStop(2), await readStop(9)]).toEqual([
      { ...makeFullStop(1), ...changes, last_updated: sampleTime + 30_000 },
      makeStop(2),
      undefined,
    ])
    expect((await put([makeChange(9)])).statusCode).toBe(400)
  })

  it('applies the later change, also at the same time; an older one changes nothing', async () => {
    await post([makeStop(1)])
    for (let bikes = 0; bikes < 12; bikes++) {
      expect(
        (
          await put([makeChange(1, { last_updated: sampleTime, num_vehicles_available: { bicycle: bikes } })])
        ).json(),
      ).toMatchObject({ success: 1 })
      expect(await readStop(1)).toEqual(makeStop(1, { num_vehicles_available: { bicycle: bikes } }))
    }
    await put([makeChange(1, { num_vehicles_available: { bicycle: 20 } })])
    const late = await put([
      makeChange(1, {
        last_updated: sampleTime + 10_000,
        num_vehicles_available: { bicycle: 21 },
        devices: [],
      }),
      makeChange(1, { last_updated: sampleTime + 40_000, num_vehicles_disabled: { bicycle: 3 } }),
    ])
    expect([late.statusCode, late.json()]).toEqual([200, { success: 2, total: 2, failures: [] }])
    expect(await readStop(1)).toEqual(
      makeStop(1, {
        last_updated: sampleTime + 40_000,
        num_vehicles_available: { bicycle: 20 },
        num_vehicles_disabled: { bicycle: 3 },
      }),
    )
  })

  it('hides stops of another operator, and neither changes nor compares them', async () => {
    await post([makeStop(1)])
    expect((await get(`/${makeId(1)}`, as('heron'))).statusCode).toBe(404)
    expect((await get('', as('heron'))).body).not.toContain(makeId(1))
    expect((await put([makeChange(1, { devices: [] })], as('heron'))).json()).toMatchObject({
      success: 0,
      failures: [{ error: 'unregistered' }],
    })
    expect((await post([makeStop(1, { name: 'Of heron', provider_id: null })], as('heron'))).statusCode).toBe(
      201,
    )
    expect([await readStop(1), await readStop(1, as('heron'))]).toEqual([
      makeStop(1),
      makeStop(1, { name: 'Of heron', provider_id: null }),
    ])
  })
})

describe('the stops APIs of MDS 1.2 and 2.0', () => {
  const earlier: AgencyRequest = { version: '1.2' }
  beforeAll(() => {
    earlier.token = agency.lark.token
  })

  it('return a stop in the requested version', async () => {
    await post(
      [samples.earlierStop(1, { stop_id: makeId(1), capacity: { scooter: 4, bicycle: 2 } })],
      earlier,
    )
    await post([
      makeStop(2, {
        capacity: { scooter_standing: 4, scooter_seated: 1, truck: 2, other: 1 },
        location: { lat: 39.9, lng: -83, altitude: 230, satellites: 7 },
      }),
    ])
    expect(await readStop(1)).toEqual(
      makeStop(1, {
        capacity: { scooter_standing: 4, bicycle: 2 },
        location: { lat: 39.9612, lng: -82.9988, speed: 3.5, horizontal_accuracy: 4 },
        provider_id: undefined,
        rental_methods: undefined,
        devices: undefined,
      }),
    )
    expect(await readStop(2, earlier)).toEqual(
      samples.earlierStop(1, {
        stop_id: makeId(2),
        capacity: { scooter: 5, other: 3 },
        location: samples.point(sampleTime, -83, 39.9, {
          accuracy: undefined,
          speed: undefined,
          altitude: 230,
          satellites: 7,
        }),
        provider_id: samples.providerId,
        rental_methods: ['phone'],
        devices: [uuid(1)],
      }),
    )
  })

  it('change stops that the other version registered', async () => {
    await post([samples.earlierStop(1, { stop_id: makeId(1), capacity: { scooter: 4 } })], earlier)
    await put([{ stop_id: makeId(1), num_spots_disabled: { scooter: 1 } }], earlier)
    expect(await readStop(1, earlier)).toMatchObject({
      last_reported: agency.clock.at,
      num_spots_disabled: { scooter: 1 },
    })
    expect(await readStop(1)).toMatchObject({
      last_updated: agency.clock.at,
      num_places_disabled: { scooter_standing: 1 },
    })
    expect(
      (
        await put([
          makeChange(1, { last_updated: agency.clock.at, num_places_disabled: { scooter_seated: 2 } }),
        ])
      ).json(),
    ).toMatchObject({ success: 1 })
    expect(await readStop(1)).toMatchObject({
      capacity: { scooter_standing: 4 },
      num_places_disabled: { scooter_seated: 2 },
    })
    expect(
      (await put([{ stop_id: makeId(1), num_spots_disabled: { scooter: 3 } }], earlier)).statusCode,
    ).toBe(200)
    expect(await readStop(1)).toMatchObject({ num_places_disabled: { scooter_standing: 3 } })
    expect(await readStop(1, earlier)).toMatchObject({ num_places_disabled: { scooter: 3 } })
  })

  it.runIf(hasSchemas)('respond in the official form (skipped without the schemas)', async () => {
    await post([makeFullStop(1), makeStop(2)])
    await post([samples.earlierStop(1, { stop_id: makeId(3), capacity: { scooter: 4 } })], earlier)
    await put([{ stop_id: makeId(3), num_spots_disabled: { scooter: 1 } }], earlier)
    await put([makeChange(3, { devices: [uuid(1)] })])
    const [now, before] = [
      (await get('')).json<{ stops: unknown[] }>(),
      (await get('', earlier)).json<{ stops: unknown[] }>(),
    ]
    expect([now.stops.length, before.stops.length]).toEqual([now.stops.length, now.stops.length])
    expect(now.stops.map(createValidator('v2.0-json/stop.json')).filter(Boolean)).toEqual([])
    expect(createValidator('v1.2/agency/get_stops.json')(before)).toBeNull()
  })
})

describe('the stops API', () => {
  it('returns and stores nothing without a token', async () => {
    for (const [method, path, body] of [
      ['POST', '/stops', [makeStop(1)]],
      ['PUT', '/stops', [makeChange(1)]],
      ['GET', '/stops', undefined],
      ['GET', `/stops/${makeId(1)}`, undefined],
    ] as const)
      for (const token of ['', 'x'.repeat(43)])
        expect((await sendToAgency(agency, method, path, body, { token })).statusCode).toBe(401)
    expect(await readStop(1)).toBeUndefined()
  })

  it.each([
    ['no list', () => post({ stop: 1 }), 400, 'missing_param'],
    ['a text', () => post('"stops"'), 400, 'bad_param'],
    ['no JSON', () => put('{"stops":['), 400, 'bad_param'],
    ['an empty list', () => put({ stops: [] }), 400, 'bad_param'],
    ['too many', () => post(Array.from({ length: 20_001 }, () => 0)), 400, 'bad_param'],
    ['too deep', () => post(`${'['.repeat(5000)}${']'.repeat(5000)}`), 400, 'bad_param'],
    ['too long', () => post(Buffer.alloc(9 * 1024 * 1024, ' ')), 413, 'bad_param'],
    ['a version that is none', () => get('', as('lark', '2.0.2')), 406, 'unsupported_version'],
    ['an id that is none', () => get('/1%27or%271'), 400, 'bad_param'],
    [
      'a stop to be deleted',
      () => sendToAgency(agency, 'DELETE', `/stops/${makeId(1)}`, undefined, as('lark')),
      404,
      'not_found',
    ],
  ])('%s is refused', async (_name, send, status, error) => {
    const response = await send()
    expect([response.statusCode, response.json<{ error?: string }>().error]).toEqual([status, error])
  })

  it('rejects unknown keys and values or stores them unchanged, without harm', async () => {
    const toJson = (item: Fields): string => JSON.stringify(item)
    const strange = [
      toJson(makeStop(1)).replace('"capacity":{', '"capacity":{"__proto__":1,'),
      toJson(makeStop(2)).replace('"capacity":{', '"capacity":{"constructor":1,'),
      toJson(makeStop(3)).replace('"status":{', '"__proto__":{"is_renting":true},"x":{'),
      toJson(makeStop(4)).replace(
        '{',
        '{"__proto__":{"isMine":true},"constructor":{"prototype":{"isMine":true}},',
      ),
      toJson(makeStop(5, { name: "'); drop table stops; --\t\\N\n", note: '\ud800 \u{1f6f4}' })),
      'null',
      '7',
      '[]',
      '"stop"',
      '{"stop_id":{}}',
    ]
    const answered = await post(`[${strange.join(',')}]`)
    expect(answered.statusCode).toBe(201)
    expect(
      answered
        .json<{ failures: Fields[] }>()
        .failures.map(({ error, error_details }) => [error, error_details]),
    ).toEqual([
      ['bad_param', ['capacity']],
      ['bad_param', ['capacity']],
      ['missing_param', ['status']],
      ...Array.from({ length: 4 }, () => ['bad_param', ['item']]),
      ['missing_param', expect.arrayContaining(['name', 'location'])],
    ])
    expect({}).not.toHaveProperty('isMine')
    expect(await readStop(5)).toEqual(
      makeStop(5, { name: "'); drop table stops; --\t\\N\n", note: '\ud800 \u{1f6f4}' }),
    )
    expect(
      (
        await put(
          `[${toJson(makeChange(4)).replace('{', '{"__proto__":{"is_renting":true,"isMine":true},"num_places_available":{"toString":1},')},${toJson(makeChange(5, { devices: [] }))}]`,
        )
      ).json(),
    ).toMatchObject({
      success: 1,
      failures: [{ error: 'bad_param', error_details: ['num_places_available'] }],
    })
    expect((await put([makeChange(4)])).statusCode).toBe(200)
    expect((await get(`/${makeId(4)}`)).body).toContain('"__proto__":{"isMine":true}')
  })

  it('registers and changes as many stops at once as a push may contain', async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => n)
    const small = (n: number): Fields => ({
      ...makeStop(n),
      name: 's',
      provider_id: undefined,
      devices: undefined,
      rental_methods: undefined,
      location: { lat: 1, lng: 1 },
    })
    expect((await post(many.map(small))).json()).toMatchObject({ success: 20_000 })
    const changed = await put(many.map((n) => makeChange(n, { num_vehicles_available: { bicycle: n } })))
    expect(changed.json()).toMatchObject({ success: 20_000 })
    expect(await readStop(19_999)).toMatchObject({ num_vehicles_available: { bicycle: 19_999 } })
  })
})

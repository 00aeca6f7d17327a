import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { savePolicy } from '#contract/policies.ts'
import { call, openTestApp, readProblem, request, type TestApp } from '../app.ts'
import { makeCity } from '../city.ts'
import { tripPeriod } from '../city/trips.ts'

type City = Awaited<ReturnType<typeof makeCity>>

/** A call of the tables in the specification. */
interface Call {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  /** The query of a GET, or the body. */
  fields?: Record<string, unknown>
  /** True if POST of the same path is another call; the legacy GET then has its token in the header. */
  isShared?: boolean
}

let app: TestApp
let city: City
let calls: Call[]
let layerId: string

beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  layerId = city.layers.districts.shape_layer_uuid
  const { plcy } = await call(app, city.admin, savePolicy, {
    body: {
      region_id: 'alder',
      policy_type: 'no_parking',
      policy_name: 'No parking',
      shape_layer_uuid: layerId,
    } as never,
  })
  calls = listCalls(city, plcy.policy_uuid, plcy.constant_policy_uuid)
})
afterAll(() => app.close())

const days = { start_date: tripPeriod.start_date, end_date: tripPeriod.start_date }

function listCalls({ layers, organizations }: City, policy: string, constant: string): Call[] {
  const region = '/regions/alder'
  const layer = `${region}/layers/${layers.districts.shape_layer_uuid}`
  const inRegion = { region_id: 'alder' }
  const spatial = {
    ...inRegion,
    ...days,
    vehicle_type: null,
    operators: [],
    shape_layer_uuid: layers.districts.shape_layer_uuid,
    buffer: 0,
    agg: 'total_count',
    hour_filters: [0, 23],
    shape_filter: null,
  }
  const period = { startDate: days.start_date, endDate: days.end_date }
  const get = (path: string, fields?: Record<string, unknown>, isShared = false): Call => ({
    method: 'GET',
    path,
    ...(fields ? { fields } : {}),
    isShared,
  })
  const post = (path: string, fields: Record<string, unknown>): Call => ({ method: 'POST', path, fields })
  return [
    // Policies, users and regions.
    post('/policies/list', { ...inRegion, policy_category: 'mobility' }),
    get(`/policies/${policy}`),
    get(`/policies/constant/${constant}`),
    post('/policies/get_mds_geographies', inRegion),
    post('/policies/get_mds_policies', inRegion),
    get(`${region}/policies/compliance/summary`, period),
    post('/policy_compliance/for_policy', { policy_uuid: policy, ...days, detail: true }),
    get('/users/me'),
    get('/users/me/permissions'),
    { method: 'PATCH', path: '/users/me', fields: { acceptedTermsOfService: true } },
    get('/user_roles/'),
    get(`/permissions/region/alder`),
    get('/feature_flags'),
    ...['/', '/health', '/ping'].map((path) => get(path)),
    get('/operators', { orderBy: 'name', page: 1, size: 50, forLiveMap: true }),
    get('/operators/alder-bikes'),
    get('/organizations'),
    get(`/organizations/${organizations.alder}`),
    get('/regions', { page: 1, size: 10, search: 'alder' }),
    get(region),
    get(`/public${region}`),
    // Maps and data.
    ...[
      'issues',
      'issues/types',
      'weather',
      'operators',
      'mds_operators',
      'mds_status',
      'routes/date_range',
      'routes/vehicle_types',
      'routes/operators',
      'routes/statistics',
      'routes/list',
    ].map((path) => get(`${region}/${path}`)),
    get(`${region}/layers`, undefined, true),
    get(layer),
    get('/layers/list', inRegion),
    get(`${layer}/has_policies`),
    get(`${layer}/curb_length_statistics`),
    get(`${layer}/census`),
    get('/census', { regionId: 'alder', shapeLayerUuid: layers.districts.shape_layer_uuid }),
    ...[
      'trips/by_shape',
      'deployments/by_shape',
      'deployments/legend_values',
      'deployments/by_shape_and_day',
      'parking/by_shape',
      'parking/legend_values',
      'parking/by_shape_and_day',
      'vehicles/counts_by_shape',
    ].map((path) => get(`${layer}/${path}`, days)),
    get(`${region}/shapes`, { shape_layer_uuid: layers.districts.shape_layer_uuid }, true),
    get(`${region}/shapes/public`),
    post('/shapes/list', { ...inRegion, shape_layer_uuid: layers.districts.shape_layer_uuid }),
    ...[
      'origins',
      'destinations',
      'daily_origins',
      'daily_destinations',
      'orig_or_dest',
      'average_origin_distance',
      'average_destination_distance',
      'orig',
      'dest',
    ].map((direction) => post('/trips/spatial', { ...spatial, direction })),
    ...[
      'total_parking_events',
      'daily_parking_events',
      'total_parked_duration',
      'average_parked_duration',
    ].map((direction) => post('/parking_events/spatial', { ...spatial, direction, parked_duration: 0 })),
    post('/trips/by_day_spatial', spatial),
    post('/parking_events/by_day_spatial', spatial),
    get('/trips/most_recent_10k', { ...inRegion, location: 'origin', ...days }),
    get(`${region}/parking_events`, {
      ...period,
      startTime: '22:00',
      endTime: '06:00',
      minParkingDuration: 0,
    }),
    ...[
      'metrics',
      'parking',
      'metrics/median_trip_distance',
      'trips/by_time_period',
      'vehicles/non_operational_summary',
      'vehicles/non_operational_events',
      'vehicles/by_hour',
      'vehicles/by_time_period',
    ].map((path) => get(`${region}/${path}`, days)),
  ]
}

const parseJson = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>
/** Removes fields that differ between two requests of the same response. */
const omitVolatile = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, field: unknown) =>
      ['milliseconds', 'from', 'as_of'].includes(key) ? undefined : field,
    ),
  )

function callV2({ method, path, fields = {} }: Call) {
  const query =
    method === 'GET' && Object.keys(fields).length
      ? `?${new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))}`
      : ''
  return request(app, {
    method,
    url: `/v2${path}${query}`,
    headers: { authorization: `Bearer ${city.admin.token}` },
    ...(method === 'GET' ? {} : { body: fields }),
  })
}

function callLegacy(
  { method, path, fields = {}, isShared }: Call,
  credentials: Record<string, unknown> = { token: city.admin.token },
) {
  const query = `?${new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))}`
  if (isShared)
    return request(app, {
      method,
      url: `/apipy${path}${query}`,
      headers: { authorization: `Bearer ${String(credentials['token'])}` },
    })
  return request(app, {
    method: method === 'PATCH' ? method : 'POST',
    url: `/apipy${path}`,
    body: { region_id: 'alder', ...fields, ...credentials },
  })
}

test('every call of the specification has a legacy form with the same response', async () => {
  for (const legacyCall of calls) {
    const [now, then] = [await callV2(legacyCall), await callLegacy(legacyCall)]
    const name = `${legacyCall.method} ${legacyCall.path} ${JSON.stringify(legacyCall.fields ?? {})}`
    expect([name, now.statusCode, now.statusCode === 200 ? '' : now.body]).toEqual([name, 200, ''])
    expect([name, then.statusCode, then.statusCode === 200 ? '' : then.body]).toEqual([name, 200, ''])
    const { success, ...rest } = parseJson(then.body)
    const response: unknown = JSON.parse(now.body)
    expect([name, success, omitVolatile(Array.isArray(response) ? rest['data'] : rest)]).toEqual([
      name,
      true,
      omitVolatile(response),
    ])
    expect([name, then.headers['content-type']]).toEqual([name, now.headers['content-type']])
  }
})

describe('a legacy call', () => {
  const me: Call = { method: 'GET', path: '/users/me' }

  it('is rejected with an unknown token by the message that signs the browser out', async () => {
    expect(readProblem(await callLegacy(me, { token: 'nobody' }))).toMatchObject({
      success: false,
      status: 403,
      detail: 'Could not validate credentials',
    })
    expect(readProblem(await callLegacy(me, {})).status).toBe(401)
  })

  it('acts as the impersonated user of its body', async () => {
    const { id } = parseJson((await callLegacy(me, { token: city.viewer.token })).body)
    const { email, impersonatedBy } = parseJson(
      (await callLegacy(me, { token: city.admin.token, impersonated_user: id })).body,
    )
    expect([email, impersonatedBy]).toEqual([
      'viewer@alder.example',
      expect.objectContaining({ user_email: 'admin@alder.example' }),
    ])
  })

  it('returns GeoJSON by day, and CSV or JSON on request', async () => {
    const legacyCall = calls.find(({ path }) => path === '/trips/by_day_spatial')
    const readFormat = async (format?: string, accept?: string) => {
      const response = await request(app, {
        method: 'POST',
        url: '/v2/trips/by_day_spatial',
        headers: { authorization: `Bearer ${city.admin.token}`, ...(accept ? { accept } : {}) },
        body: { ...legacyCall?.fields, ...(format ? { format } : {}) },
      })
      return [String(response.headers['content-type']).split(';')[0], response.body] as const
    }
    const [type, body] = await readFormat()
    expect([type, parseJson(body)]).toEqual([
      'application/geo+json',
      expect.objectContaining({ type: 'FeatureCollection', shape_data_by_day: expect.any(Object) as object }),
    ])
    expect((await readFormat('csv'))[0]).toBe('text/csv')
    expect((await readFormat(undefined, 'text/csv'))[0]).toBe('text/csv')
    const [plainType, plain] = await readFormat(undefined, 'application/json')
    expect([plainType, Object.keys(parseJson(plain))]).toEqual(['application/json', ['shape_data_by_day']])
  })

  it('lists the shapes that overlap a boundary', async () => {
    const list = async (overrides: object) => {
      const response = await request(app, {
        method: 'POST',
        url: '/apipy/shapes/list',
        body: {
          token: city.viewer.token,
          region_id: 'alder',
          shape_layer_uuid: city.layers.zones.shape_layer_uuid,
          ...overrides,
        },
      })
      return response.statusCode === 200
        ? (parseJson(response.body)['data'] as { shape_uuid: string }[]).map(({ shape_uuid: id }) => id)
        : readProblem(response).status
    }
    const all = (await list({})) as string[]
    const [zone = ''] = all
    const own = { boundary_shape_layer_uuid: city.layers.zones.shape_layer_uuid }
    expect(await list(own)).toEqual(all)
    const near = (await list({ ...own, boundary_shape_uuids: [zone] })) as string[]
    expect(near).toContain(zone)
    expect(near.length).toBeLessThan(all.length)
    expect(await list({ boundary_shape_layer_uuid: layerId, boundary_shape_uuids: [zone] })).toBe(404)
  })
})

test('operators without trips are listed, and separately those of the live map', async () => {
  const listSlugs = async (path: string) =>
    (
      parseJson(
        (
          await request(app, {
            method: 'GET',
            url: `/v2${path}`,
            headers: { authorization: `Bearer ${city.admin.token}` },
          })
        ).body,
      )['items'] as { slug: string }[]
    ).map(({ slug }) => slug)
  await request(app, {
    method: 'POST',
    url: '/v2/operators',
    headers: { authorization: `Bearer ${city.admin.token}` },
    body: { slug: 'planned', name: 'Planned', colorHex: '#336699' },
  })
  expect(await listSlugs('/operators?region_id=alder')).toContain('planned')
  expect(await listSlugs('/regions/alder/operators?orderBy=-slug')).toEqual(
    (await listSlugs('/regions/alder/operators')).toSorted().toReversed(),
  )
  expect(await listSlugs('/operators?region_id=alder&forLiveMap=true')).not.toContain('planned')
})

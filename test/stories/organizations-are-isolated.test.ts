import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Endpoint, isMedia } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { listShapes } from '#contract/geography.ts'
import { getMe, getServerLoad } from '#contract/identity.ts'
import { listImports } from '#contract/imports.ts'
import { createRole } from '#contract/users.ts'
import { createAgencyToken } from '#server/feeds/agency/tokens.ts'
import { regionScope } from '#server/identity/scope.ts'
import { call, openTestApp, problemIn, request, type SignedIn, type TestApp, makeUrl } from '../app.ts'
import { makeCity } from '../city.ts'
import { makeGeoJson, zones } from '../city/shapes.ts'
import { formatCsv, cityTrips } from '../city/trips.ts'

let app: TestApp
let city: Awaited<ReturnType<typeof makeCity>>
/** What a call may need, all of it the first organization's. */
let theirs: { params: Record<string, string>; query: Record<string, string>; body: Record<string, unknown> }
beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  const region_id = 'alder'
  const { items: shapes } = await call(app, city.admin, listShapes, {
    params: { region_id },
    query: { shape_layer_uuid: city.layers.districts.shape_layer_uuid },
  })
  const { id: user_id } = await call(app, city.planner, getMe)
  const { id: role_id } = await call(app, city.admin, createRole, { body: { name: 'Alder desk' } })
  const ids = {
    user_id,
    role_id,
    region_id,
    figure: 'freshness',
    organization_id: city.organizations.alder,
    shape_layer_uuid: city.layers.districts.shape_layer_uuid,
    shape_uuid: shapes[0]?.shape_uuid ?? '',
    import_uuid: city.trips.import_uuid,
  }
  const store = app.state.as(regionScope(city.organizations.alder, region_id))
  const { feed_id } = await store
    .insertInto('feed')
    .values({
      region_id,
      operator: 'alder-bikes',
      kind: 'mds_agency',
      version: '2.0',
      name: 'Alder pushes',
      url: null,
      interval_seconds: 60,
      promised_minutes: 5,
    })
    .returning('feed_id')
    .executeTakeFirstOrThrow()
  const { tokenId } = await createAgencyToken(
    app.state.as(regionScope(city.organizations.alder, region_id)),
    feed_id,
    { actor: null, at: new Date() },
  )
  theirs = {
    params: {
      ...ids,
      feed_id,
      token_id: tokenId,
      obj_type: 'user',
      obj_id: user_id,
      provider_id: 'alder-idp',
      onboarding_uuid: ids.shape_uuid,
      slug: 'alder-bikes',
      z: '11',
      x: '611',
      y: '762',
    },
    query: { ...ids, file_name: 'alder.geojson', location: 'origin' },
    body: {
      ...ids,
      upload_uuid: ids.shape_uuid,
      layer_name: 'Alder taken',
      shape_name: 'Alder taken',
      name_property: null,
      geom: zones[0]?.geometry,
      start_date: '2026-02-20',
      end_date: '2026-04-10',
      mapping: null,
      text: 'Alder taken',
    },
  }
})
afterAll(() => app.close())

/** Signs of the first organization in an answer. */
const marks = /alder|birch/i

function callAs(endpoint: Endpoint, prefix: Endpoint['prefixes'][number], as: SignedIn | null) {
  const query = Object.fromEntries(
    Object.keys(endpoint.request.query?.shape ?? {}).flatMap((name) =>
      theirs.query[name] === undefined ? [] : [[name, theirs.query[name]]],
    ),
  )
  const { body } = endpoint.request
  const bytes = endpoint.path.includes('import') ? formatCsv(cityTrips.slice(0, 3)) : makeGeoJson(zones)
  const given =
    body === undefined
      ? undefined
      : isMedia(body)
        ? bytes
        : endpoint.path.endsWith('/start')
          ? {
              ...theirs.body,
              mapping: { columns: { start_time: 'began', start_lon: 'from_lng', start_lat: 'from_lat' } },
            }
          : theirs.body
  return request(app, {
    method: endpoint.method,
    url: makeUrl(endpoint, { params: theirs.params, query }, prefix),
    headers: as ? { authorization: `Bearer ${as.token}` } : {},
    body: given,
  })
}

const everyCall = [...endpoints].flatMap(([name, endpoint]) =>
  endpoint.prefixes.map((prefix) => ({
    name: `${name} ${endpoint.method} ${prefix}${endpoint.path}`,
    endpoint,
    prefix,
  })),
)
const closed = everyCall.filter(({ endpoint }) => endpoint.permission !== 'public')
/** Sessions do not work under `/external`, which is for API keys. */
const guarded = closed.filter(({ prefix }) => prefix !== '/external')

describe('calls without a sign-in are rejected', () => {
  test.each(closed)('$name', async ({ endpoint, prefix }) => {
    const response = await callAs(endpoint, prefix, null)
    expect(problemIn(response).status).toBe(401)
    expect(response.body).not.toMatch(marks)
  })

  test.each([
    ['a token that nobody has', { authorization: 'Bearer 0123456789abcdef0123456789abcdef' }],
    ['a cookie that nobody has', { cookie: 'publicway.session_token=abc.def' }],
    ['an empty token', { authorization: 'Bearer ' }],
  ])('nor with %s', async (_, headers) => {
    expect(
      problemIn(
        await request(app, { method: 'GET', url: '/v2/regions', headers: headers as Record<string, string> }),
      ).status,
    ).toBe(401)
  })
})

describe('users of another organization see nothing of this one', () => {
  test.each(guarded)('$name', async ({ endpoint, prefix }) => {
    const response = await callAs(endpoint, prefix, city.stranger)
    const body = response.rawPayload.toString('latin1')
    const ownOnly =
      /^\/(users|users\/me|users\/me\/data|users\/me\/permissions|user_roles|feature_flags|audit|impersonation|sign_in_providers|api_keys|regions|organizations|operators|managed_operators|incident_subscriptions|data_health\/figures|health\/load|health\/server|health\/work|health\/jobs)$/.test(
        endpoint.path,
      )
    expect(ownOnly ? [200, 404, 409, 422] : [404, 422]).toContain(
      response.statusCode === 200 ? 200 : problemIn(response).status,
    )
    // A problem may repeat what the client sent: the region's id. A list must not.
    expect(
      response.statusCode === 200 ? body : body.replaceAll(/'alder(-bikes)?'|alder\.geojson/g, ''),
    ).not.toMatch(marks)
  })

  test('also if their own region and layer are combined with IDs of others', async () => {
    const { shape_layer_uuid, shape_uuid, import_uuid } = theirs.params as Record<string, string>
    const ownLayer = city.layers.cedar.shape_layer_uuid
    const as = { authorization: `Bearer ${city.stranger.token}` }
    const question = { region_id: 'cedar', start_date: '2026-02-20', end_date: '2026-04-10' }
    for (const url of [
      `layers/${shape_layer_uuid}`,
      `shapes/${shape_uuid}`,
      `shapes/${shape_uuid}/history`,
      `imports/${import_uuid}`,
      `imports/${import_uuid}/rejected`,
      `layers/${shape_layer_uuid}/vector/11/611/762`,
      `shapes?shape_layer_uuid=${shape_layer_uuid}`,
    ])
      expect(
        problemIn(await request(app, { method: 'GET', url: `/v2/regions/cedar/${url}`, headers: as })).status,
      ).toBe(404)
    for (const [method, url] of [
      ['DELETE', `layers/${shape_layer_uuid}`],
      ['DELETE', `shapes/${shape_uuid}`],
      ['DELETE', `imports/${import_uuid}`],
      ['PATCH', `layers/${shape_layer_uuid}`],
      ['PATCH', `shapes/${shape_uuid}`],
    ] as const)
      expect(
        problemIn(
          await request(app, {
            method,
            url: `/v2/regions/cedar/${url}`,
            headers: as,
            body: { layer_name: 'x', shape_name: 'x' },
          }),
        ).status,
      ).toBe(404)
    for (const body of [
      { ...question, shape_layer_uuid },
      { ...question, shape_layer_uuid: ownLayer, shape_filter: shape_uuid },
      { ...question, region_id: 'alder', shape_layer_uuid: ownLayer },
    ])
      expect(
        problemIn(await request(app, { method: 'POST', url: '/v2/trips/spatial', headers: as, body })).status,
      ).toBe(404)
    expect(
      problemIn(
        await request(app, {
          method: 'POST',
          url: '/v2/regions/cedar/shapes',
          headers: as,
          body: { shape_layer_uuid, shape_name: 'x', geom: zones[0]?.geometry },
        }),
      ).status,
    ).toBe(404)
    expect(
      problemIn(
        await request(app, {
          method: 'POST',
          url: `/v2/regions/cedar/shapes/upload?file_name=a.geojson&shape_layer_uuid=${shape_layer_uuid}`,
          headers: as,
          body: makeGeoJson(zones),
        }),
      ).status,
    ).toBe(404)
  })

  test('and their counts contain only their own data', async () => {
    const as = { authorization: `Bearer ${city.stranger.token}` }
    const response = (
      await request(app, {
        method: 'POST',
        url: '/v2/trips/spatial',
        headers: as,
        body: {
          region_id: 'cedar',
          shape_layer_uuid: city.layers.cedar.shape_layer_uuid,
          start_date: '2026-01-01',
          end_date: '2026-12-31',
        },
      })
    ).json()
    expect(response.total).toBe(200)
    expect(
      (await request(app, { method: 'GET', url: '/v2/operators', headers: as }))
        .json()
        .items.map((item: { slug: string }) => item.slug),
    ).toEqual(['cedar-cabs'])
    expect(
      (await request(app, { method: 'GET', url: '/v2/regions', headers: as }))
        .json()
        .items.map((item: { regionId: string }) => item.regionId),
    ).toEqual(['cedar'])
    expect(
      problemIn(
        await request(app, {
          method: 'POST',
          url: '/v2/regions',
          headers: as,
          body: { regionId: 'alder', text: 'Mine', lat: 0, lon: 0, timezone: 'UTC' },
        }),
      ).status,
    ).toBe(409)
  })
})

describe('users without the permission key are rejected', () => {
  test.each(
    guarded.filter(
      ({ endpoint }) => endpoint.permission !== 'signed_in' && endpoint.permission !== 'session',
    ),
  )('$name', async ({ endpoint, prefix }) => {
    const response = await callAs(endpoint, prefix, city.viewer)
    expect(problemIn(response).status).toBe(403)
    expect(problemIn(response).detail).toContain(endpoint.permission)
    // The planner's one key opens only its own doors.
    const planner = await callAs(
      endpoint,
      prefix,
      endpoint.permission === 'edit_geography' || endpoint.method === 'DELETE' ? city.viewer : city.planner,
    )
    expect(problemIn(planner).status).toBe(403)
  })

  test('and none of these calls changed anything', async () => {
    const { items } = await call(app, city.admin, listShapes, {
      params: { region_id: 'alder' },
      query: { shape_layer_uuid: city.layers.districts.shape_layer_uuid },
    })
    expect(items).toHaveLength(24)
    expect(items.some(({ shape_name }) => shape_name === 'Alder taken')).toBe(false)
    expect(
      (await call(app, city.admin, listImports, { params: { region_id: 'alder' } })).items.map(
        (each) => each.import_uuid,
      ),
    ).toEqual([city.trips.import_uuid])
    expect(app.logged.filter((line) => line.includes('"error"'))).toEqual([])
  })
})

test('an administrator sees how busy the server is', async () => {
  const load = await call(app, city.admin, getServerLoad)
  // The call itself.
  expect(load.calls).toEqual({ running: 1, waiting: 0, refused: 0 })
  expect(load).toMatchObject({ heavy: { running: 0, waiting: 0 }, bodies: { running: 0, waiting: 0 } })
})

describe('legacy calls', () => {
  const legacy = (body: Record<string, unknown>, url = '/apipy/layers/list') =>
    request(app, { method: 'POST', url, body })

  test('have the token in the body, and return the success flag', async () => {
    const response = await legacy({ token: city.viewer.token, region_id: 'alder' })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      success: true,
      data: expect.arrayContaining([expect.objectContaining({ layer_name: 'Alder Districts' })]),
    })
    const shapes = await legacy(
      { token: city.viewer.token, region_id: 'alder', shape_layer_uuid: city.layers.zones.shape_layer_uuid },
      '/apipy/shapes/list',
    )
    expect(shapes.json().data.map((shape: { shape_name: string }) => shape.shape_name)).toEqual(
      zones.map(({ name }) => name).toSorted(),
    )
    const counted = await legacy(
      {
        token: city.viewer.token,
        region_id: 'alder',
        shape_layer_uuid: city.layers.districts.shape_layer_uuid,
        start_date: '2026-02-20',
        end_date: '2026-04-10',
      },
      '/apipy/trips/spatial',
    )
    expect(counted.json()).toMatchObject({ success: true, total: 3000 })
  })

  test('return a false flag on failure', async () => {
    for (const body of [
      { region_id: 'alder' },
      { token: '', region_id: 'alder' },
      { token: 7, region_id: 'alder' },
    ])
      expect(problemIn(await legacy(body)).status).toBe(401)
    expect(problemIn(await legacy({ token: 'wrong', region_id: 'alder' })).status).toBe(403)
    expect(problemIn(await legacy({ token: city.stranger.token, region_id: 'alder' })).status).toBe(404)
    expect(problemIn(await legacy({ token: city.viewer.token })).status).toBe(422)
  })
})

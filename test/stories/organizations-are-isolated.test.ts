import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type Endpoint, isMedia } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { getMe, getServerLoad } from '#contract/identity.ts'
import { listImports } from '#contract/imports.ts'
import { createRole } from '#contract/users.ts'
import { makeAgencyToken } from '#server/feeds/agency/tokens.ts'
import { regionScope } from '#server/identity/scope.ts'
import { insertFeed } from '../store-region.ts'
import { call, openTestApp, readProblem, request, type SignedIn, type TestApp, makeUrl } from '../app.ts'
import { makeCity, readShapes } from '../city.ts'
import { makeGeoJson, zones } from '../city/shapes.ts'
import { formatCsv, cityTrips } from '../city/trips.ts'

let app: TestApp
let city: Awaited<ReturnType<typeof makeCity>>
/** Input for any call, with ids of Alder. */
let alderInput: {
  params: Record<string, string>
  query: Record<string, string>
  body: Record<string, unknown>
}
beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  const region_id = 'alder'
  const shapes = await readShapes(app, city.admin, city.layers.districts)
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
  const feed_id = await insertFeed(app.state, { region_id, operator: 'alder-bikes', kind: 'mds_agency' })
  const { tokenId } = await makeAgencyToken(
    app.state.as(regionScope(city.organizations.alder, region_id)),
    feed_id,
    { actor: null, at: new Date() },
  )
  alderInput = {
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

/** Names of Alder's organization in a response. */
const alderNames = /alder|birch/i

function sendAlderInput(endpoint: Endpoint, prefix: Endpoint['prefixes'][number], as: SignedIn | null) {
  const query = Object.fromEntries(
    Object.keys(endpoint.request.query?.shape ?? {}).flatMap((name) =>
      alderInput.query[name] === undefined ? [] : [[name, alderInput.query[name]]],
    ),
  )
  const { body } = endpoint.request
  const bytes = endpoint.path.includes('import') ? formatCsv(cityTrips.slice(0, 3)) : makeGeoJson(zones)
  const sentBody =
    body === undefined
      ? undefined
      : isMedia(body)
        ? bytes
        : endpoint.path.endsWith('/start')
          ? {
              ...alderInput.body,
              mapping: { columns: { start_time: 'began', start_lon: 'from_lng', start_lat: 'from_lat' } },
            }
          : alderInput.body
  return request(app, {
    method: endpoint.method,
    url: makeUrl(endpoint, { params: alderInput.params, query }, prefix),
    headers: as ? { authorization: `Bearer ${as.token}` } : {},
    body: sentBody,
  })
}

const everyCall = [...endpoints].flatMap(([name, endpoint]) =>
  endpoint.prefixes.map((prefix) => ({
    name: `${name} ${endpoint.method} ${prefix}${endpoint.path}`,
    endpoint,
    prefix,
  })),
)
const callsWithSignIn = everyCall.filter(({ endpoint }) => endpoint.permission !== 'public')
/** Sessions do not work under `/external`, which is for API keys. */
const callsOfSessions = callsWithSignIn.filter(({ prefix }) => prefix !== '/external')

describe('a call without a sign-in', () => {
  it.each(callsWithSignIn)('$name', async ({ endpoint, prefix }) => {
    const response = await sendAlderInput(endpoint, prefix, null)
    expect(readProblem(response).status).toBe(401)
    expect(response.body).not.toMatch(alderNames)
  })

  it.each([
    ['a token that nobody has', { authorization: 'Bearer 0123456789abcdef0123456789abcdef' }],
    ['a cookie that nobody has', { cookie: 'publicway.session_token=abc.def' }],
    ['an empty token', { authorization: 'Bearer ' }],
  ])('a call without a sign-in is rejected with %s', async (_, headers) => {
    expect(
      readProblem(
        await request(app, { method: 'GET', url: '/v2/regions', headers: headers as Record<string, string> }),
      ).status,
    ).toBe(401)
  })
})

describe('a user of another organization', () => {
  it.each(callsOfSessions)('$name', async ({ endpoint, prefix }) => {
    const response = await sendAlderInput(endpoint, prefix, city.stranger)
    const body = response.rawPayload.toString('latin1')
    const ownOnly =
      /^\/(users|users\/me|users\/me\/data|users\/me\/permissions|user_roles|feature_flags|audit|impersonation|sign_in_providers|api_keys|regions|organizations|operators|managed_operators|incident_subscriptions|data_health\/figures|health\/load|health\/server|health\/work|health\/jobs)$/.test(
        endpoint.path,
      )
    expect(ownOnly ? [200, 404, 409, 422] : [404, 422]).toContain(
      response.statusCode === 200 ? 200 : readProblem(response).status,
    )
    // A problem may repeat the requested region id. A list must not.
    expect(
      response.statusCode === 200 ? body : body.replaceAll(/'alder(-bikes)?'|alder\.geojson/g, ''),
    ).not.toMatch(alderNames)
  })

  it('sees nothing if the own region and layer are combined with IDs of others', async () => {
    const { shape_layer_uuid, shape_uuid, import_uuid } = alderInput.params as Record<string, string>
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
        readProblem(await request(app, { method: 'GET', url: `/v2/regions/cedar/${url}`, headers: as }))
          .status,
      ).toBe(404)
    for (const [method, url] of [
      ['DELETE', `layers/${shape_layer_uuid}`],
      ['DELETE', `shapes/${shape_uuid}`],
      ['DELETE', `imports/${import_uuid}`],
      ['PATCH', `layers/${shape_layer_uuid}`],
      ['PATCH', `shapes/${shape_uuid}`],
    ] as const)
      expect(
        readProblem(
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
        readProblem(await request(app, { method: 'POST', url: '/v2/trips/spatial', headers: as, body }))
          .status,
      ).toBe(404)
    expect(
      readProblem(
        await request(app, {
          method: 'POST',
          url: '/v2/regions/cedar/shapes',
          headers: as,
          body: { shape_layer_uuid, shape_name: 'x', geom: zones[0]?.geometry },
        }),
      ).status,
    ).toBe(404)
    expect(
      readProblem(
        await request(app, {
          method: 'POST',
          url: `/v2/regions/cedar/shapes/upload?file_name=a.geojson&shape_layer_uuid=${shape_layer_uuid}`,
          headers: as,
          body: makeGeoJson(zones),
        }),
      ).status,
    ).toBe(404)
  })

  it('gets counts of its own data only', async () => {
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
      readProblem(
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

describe('a user without the permission key', () => {
  it.each(
    callsOfSessions.filter(
      ({ endpoint }) => endpoint.permission !== 'signed_in' && endpoint.permission !== 'session',
    ),
  )('$name', async ({ endpoint, prefix }) => {
    const response = await sendAlderInput(endpoint, prefix, city.viewer)
    expect(readProblem(response).status).toBe(403)
    expect(readProblem(response).detail).toContain(endpoint.permission)
    // The planner's only key permits only its own calls.
    const planner = await sendAlderInput(
      endpoint,
      prefix,
      endpoint.permission === 'edit_geography' || endpoint.method === 'DELETE' ? city.viewer : city.planner,
    )
    expect(readProblem(planner).status).toBe(403)
  })

  it('has changed nothing by any of these calls', async () => {
    const items = await readShapes(app, city.admin, city.layers.districts)
    expect(items).toHaveLength(24)
    expect(items.some(({ shape_name }) => shape_name === 'Alder taken')).toBe(false)
    expect(
      (await call(app, city.admin, listImports, { params: { region_id: 'alder' } })).items.map(
        (tripImport) => tripImport.import_uuid,
      ),
    ).toEqual([city.trips.import_uuid])
    expect(app.logged.filter((line) => line.includes('"error"'))).toEqual([])
  })
})

test('an administrator sees the load of the server', async () => {
  const load = await call(app, city.admin, getServerLoad)
  expect(load.calls).toEqual({ running: 1, waiting: 0, refused: 0 })
  expect(load).toMatchObject({ heavy: { running: 0, waiting: 0 }, bodies: { running: 0, waiting: 0 } })
})

describe('legacy calls', () => {
  const callLegacy = (body: Record<string, unknown>, url = '/apipy/layers/list') =>
    request(app, { method: 'POST', url, body })

  it('have the token in the body, and return the success flag', async () => {
    const response = await callLegacy({ token: city.viewer.token, region_id: 'alder' })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      success: true,
      data: expect.arrayContaining([expect.objectContaining({ layer_name: 'Alder Districts' })]),
    })
    const shapes = await callLegacy(
      { token: city.viewer.token, region_id: 'alder', shape_layer_uuid: city.layers.zones.shape_layer_uuid },
      '/apipy/shapes/list',
    )
    expect(shapes.json().data.map((shape: { shape_name: string }) => shape.shape_name)).toEqual(
      zones.map(({ name }) => name).toSorted(),
    )
    const counted = await callLegacy(
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

  it('return a false flag on failure', async () => {
    for (const body of [
      { region_id: 'alder' },
      { token: '', region_id: 'alder' },
      { token: 7, region_id: 'alder' },
    ])
      expect(readProblem(await callLegacy(body)).status).toBe(401)
    expect(readProblem(await callLegacy({ token: 'wrong', region_id: 'alder' })).status).toBe(403)
    expect(readProblem(await callLegacy({ token: city.stranger.token, region_id: 'alder' })).status).toBe(404)
    expect(readProblem(await callLegacy({ token: city.viewer.token })).status).toBe(422)
  })
})

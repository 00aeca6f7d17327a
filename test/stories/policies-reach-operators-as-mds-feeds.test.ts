import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { changeShape, type Layer, type Shape } from '#contract/geography.ts'
import { createOperator } from '#contract/managed-operators.ts'
import { dayMs, hourMs } from '#contract/period.ts'
import {
  deletePolicy,
  getMdsGeographies,
  getMdsPolicies,
  publishPolicy,
  savePolicy,
  type PolicyToSave,
} from '#contract/policies.ts'
import type { MdsGeography, MdsPolicy } from '#contract/mds-policy.ts'
import type { Policy } from '#contract/policy.ts'
import { PublicPolicies } from '#contract/public-policies.ts'
import { systemScope } from '#server/identity/scope.ts'
import { findPublishedRevisions } from '#server/policies/published-revisions.ts'
import { call, openTestApp, readProblem, request, send, type TestApp } from '../app.ts'
import { addLayer, makeRegions, type TestCity, readShapes } from '../city.ts'
import { districts, lanes, zones } from '../city/shapes.ts'
import { loadFeedSchema } from '../mds-feed-schemas.ts'

let app: TestApp
let city: TestCity
let layer: Layer
let shapes: Shape[]
const region_id = 'alder'
const swift = 'aaaaaaaa-0000-4000-8000-00000000000a'

const get = (path: string, headers: Record<string, string> = {}) =>
  request(app, { method: 'GET', url: `/mds/${path}`, headers })
const readPolicies = async (query = ''): Promise<MdsPolicy[]> =>
  (await get(`policy/alder/policies${query}`)).json().policies
const readGeographies = async (): Promise<MdsGeography[]> =>
  (await get('geography/alder/geographies')).json().geographies
const save = async (overrides: Partial<PolicyToSave>): Promise<Policy> =>
  (await call(app, city.admin, savePolicy, { body: { region_id, ...overrides } })).plcy
const publish = async (policy: Policy, published = true): Promise<Policy> =>
  (await call(app, city.admin, publishPolicy, { body: { policy_uuid: policy.policy_uuid, published } })).plcy
const acceptVersion12 = { accept: 'application/vnd.mds+json;version=1.2' }

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  layer = await addLayer(app, city.planner, { region_id, layer_name: 'Districts', shapes: districts })
  shapes = await readShapes(app, city.viewer, layer)
  await call(app, city.admin, createOperator, {
    body: { slug: 'swift', name: 'Swift', colorHex: '#123456', providerId: swift },
  })
  await call(app, city.admin, createOperator, { body: { slug: 'lark', name: 'Lark', colorHex: '#123456' } })
})
afterAll(() => app.close())

describe('a feed before anything is published', () => {
  it('exists and is empty, but not for an unknown region', async () => {
    expect((await get('policy/alder/policies')).json()).toEqual({
      version: '2.0.0',
      last_updated: Date.UTC(2018, 0, 1),
      policies: [],
    })
    expect((await get('geography/alder/geographies')).json().geographies).toEqual([])
    for (const path of [
      'policy/nowhere/policies',
      'geography/nowhere/geographies',
      'policy/nowhere/requirements',
      'policy/alder/policies/x',
      'geography/alder/geographies/x',
    ]) {
      const response = await get(path)
      expect([path, response.statusCode, response.json().error]).toEqual([path, 404, 'not_found'])
    }
  })

  it('does not contain drafts', async () => {
    const draft = await save({ policy_type: 'vehicle_cap', policy_name: 'Secret', maximum: 3 })
    expect(await readPolicies()).toEqual([])
    expect((await get(`policy/alder/policies/${draft.policy_uuid}`)).statusCode).toBe(404)
    await call(app, city.admin, deletePolicy, { body: draft })
  })
})

describe('a published policy', () => {
  let first: Policy
  let geographyId = ''

  it('is in the feed at once, in the official form, with the current shapes', async () => {
    const before = Date.now()
    first = await publish(
      await save({
        policy_type: 'no_ride',
        policy_name: 'Parks',
        description: 'No riding in parks',
        shape_layer_uuid: layer.shape_layer_uuid,
        shape_uuids: [shapes[0]?.shape_uuid ?? ''],
        operators: ['swift'],
        messages: { 'en-US': 'Walk' },
      }),
    )
    const [published] = await readPolicies()
    expect(published).toMatchObject({
      name: 'Parks',
      policy_id: first.policy_uuid,
      provider_ids: [swift],
      mode_id: 'micromobility',
      currency: 'USD',
      published_date: Date.parse(first.published_time ?? ''),
    })
    expect(published?.start_date).toBeGreaterThanOrEqual((published?.published_date ?? 0) + 20 * 60_000)
    expect(published?.published_date).toBeGreaterThanOrEqual(before)
    expect(loadFeedSchema('policy-2.0')(published)).toBeNull()
    const [place] = await readGeographies()
    geographyId = place?.geography_id ?? ''
    expect(published?.rules[0]).toMatchObject({
      rule_type: 'count',
      maximum: 0,
      states: { on_trip: [] },
      geographies: [geographyId],
      messages: { 'en-US': 'Walk' },
    })
    expect(place).toMatchObject({
      geography_id: shapes[0]?.shape_uuid,
      name: shapes[0]?.shape_name,
      geography_type: 'policy_zone',
      geography_json: { type: 'FeatureCollection', features: [{ geometry: shapes[0]?.geom }] },
    })
    expect(loadFeedSchema('geography-2.0')(place)).toBeNull()
  })

  it('can be read alone, as a flat file, and with a sign-in', async () => {
    expect((await get(`policy/alder/policies/${first.policy_uuid}`)).json().policies).toEqual(
      await readPolicies(),
    )
    expect((await get(`geography/alder/geographies/${geographyId}`)).json().geographies).toEqual(
      await readGeographies(),
    )
    expect((await get('policy/alder/policies.json')).body).toBe((await get('policy/alder/policies')).body)
    expect((await get('geography/alder/geographies.json')).body).toBe(
      (await get('geography/alder/geographies')).body,
    )
    expect((await call(app, city.viewer, getMdsPolicies, { body: { region_id } })).policies).toEqual(
      await readPolicies(),
    )
    expect((await call(app, city.viewer, getMdsGeographies, { body: { region_id } })).geographies).toEqual(
      await readGeographies(),
    )
    for (const endpoint of [getMdsPolicies, getMdsGeographies])
      expect(readProblem(await send(app, city.stranger, endpoint, { body: { region_id } })).status).toBe(404)
    expect((await get('policy/birch/policies')).json().policies).toEqual([])
  })

  it('is cached for a minute and not sent twice', async () => {
    for (const path of [
      'policy/alder/policies',
      'geography/alder/geographies',
      `policy/alder/policies/${first.policy_uuid}`,
      'policy/alder/requirements',
    ]) {
      const response = await get(path)
      expect([
        path,
        response.headers['content-type'],
        response.headers['cache-control'],
        response.headers['vary'],
      ]).toEqual([
        path,
        'application/vnd.mds+json;version=2.0',
        'public, max-age=60',
        expect.stringContaining('Accept'),
      ])
      const again = await get(path, { 'if-none-match': String(response.headers.etag) })
      expect([path, again.statusCode, again.body]).toEqual([path, 304, ''])
    }
  })

  it('is served in version 1.2 on request, and not in unsupported versions', async () => {
    const response = await get('policy/alder/policies', acceptVersion12)
    expect([response.headers['content-type'], response.json()]).toMatchObject([
      'application/vnd.mds+json;version=1.2',
      { version: '1.2.0', data: { policies: [{ policy_id: first.policy_uuid }] } },
    ])
    expect(loadFeedSchema('policies-1.2')(response.json())).toBeNull()
    expect(
      loadFeedSchema('geographies-1.2')((await get('geography/alder/geographies', acceptVersion12)).json()),
    ).toBeNull()
    expect(
      (await get(`policy/alder/policies/${first.policy_uuid}`, acceptVersion12)).json().data.policies,
    ).toHaveLength(1)
    for (const [path, version] of [
      ['policy/alder/policies', '0.4'],
      ['geography/alder/geographies', '3.0'],
      ['policy/alder/requirements', '1.2'],
    ])
      expect(
        (await get(path ?? '', { accept: `application/vnd.mds+json;version=${version}` })).statusCode,
      ).toBe(406)
  })

  it('is found by the time at which it applies', async () => {
    const next = new Date(Date.now() + 40 * dayMs).toISOString().slice(0, 10)
    await publish(
      await save({
        policy_type: 'trip_fees',
        policy_name: 'Later',
        value: 0.25,
        start_date: next,
        end_date: next,
        operators: ['lark'],
      }),
    )
    const names = async (query: string) => (await readPolicies(query)).map(({ name }) => name)
    const soon = Date.now() + hourMs
    expect([
      await names(''),
      await names(`?end_date=${soon}`),
      await names('?active_only=true'),
      await names(`?policy_id=${first.policy_uuid}`),
      await names(`?start_date=${Date.now() + 50 * dayMs}`),
    ]).toEqual([['Parks', 'Later'], ['Parks'], [], ['Parks'], ['Parks']])
    const { policies: none, ...rest } = (await get('policy/alder/policies?last_updated=true')).json()
    expect([none, Object.keys(rest)]).toEqual([undefined, ['version', 'last_updated']])
    expect((await get('policy/alder/policies?start_date=soon')).json()).toMatchObject({ error: 'bad_param' })
    // A policy for an operator without a provider id does not become one for all.
    const later = (await readPolicies()).find(({ name }) => name === 'Later')
    expect(later).toMatchObject({
      provider_ids: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
      rules: [{ rate_amount: 25 }],
    })
    expect(loadFeedSchema('policy-2.0')(later)).toBeNull()
  })

  it('never changes: its next revision refers to it and replaces it when it begins', async () => {
    const body = (await readPolicies())[0]
    const second = await publish(await save({ ...first, region_id, policy_name: 'Parks and greens' }))
    expect((await readPolicies()).map(({ name }) => name)).toEqual(['Parks', 'Parks and greens', 'Later'])
    expect((await readPolicies())[0]).toEqual(body)
    const [, published] = await readPolicies()
    expect(published).toMatchObject({ policy_id: second.policy_uuid, prev_policies: [first.policy_uuid] })
    // The former policy ends at the start of the new one.
    expect((await readPolicies(`?start_date=${published?.start_date}`)).map(({ name }) => name)).toEqual([
      'Parks and greens',
      'Later',
    ])
    expect((await readGeographies()).map(({ geography_id: id }) => id)).toContain(geographyId)
    first = second
  })

  it('refers to shapes as published; a changed one is another geography', async () => {
    const former = (await readGeographies()).find(({ geography_id: id }) => id === geographyId)
    await call(app, city.planner, changeShape, {
      params: { region_id, shape_uuid: shapes[0]?.shape_uuid ?? '' },
      body: { geom: zones[2]?.geometry },
    })
    expect((await readGeographies()).find(({ geography_id: id }) => id === geographyId)).toEqual(former)
    await publish(await save({ ...first, region_id, policy_name: 'Parks, moved' }))
    const moved = (await readPolicies()).find(({ name }) => name === 'Parks, moved')
    const place = (await readGeographies()).find(
      ({ geography_id: id }) => id === moved?.rules[0]?.geographies[0],
    )
    expect(place).toMatchObject({
      prev_geographies: [geographyId],
      geography_json: { features: [{ geometry: zones[2]?.geometry }] },
    })
    expect(place?.geography_id).not.toBe(geographyId)
    expect((await readGeographies()).find(({ geography_id: id }) => id === geographyId)).toEqual(former)
    // A geography that is moved back is the former one, not a third one.
    await call(app, city.planner, changeShape, {
      params: { region_id, shape_uuid: shapes[0]?.shape_uuid ?? '' },
      body: { geom: shapes[0]?.geom },
    })
    await publish(await save({ ...first, region_id, policy_name: 'Parks, moved back' }))
    expect(
      (await readPolicies()).find(({ name }) => name === 'Parks, moved back')?.rules[0]?.geographies,
    ).toEqual([geographyId])
  })

  it('leaves the feed when it is unpublished or deleted, which the feed reports', async () => {
    const moved = (await readPolicies()).find(({ name }) => name === 'Parks, moved back')
    const before = (await get('policy/alder/policies')).json().last_updated
    await call(app, city.admin, publishPolicy, {
      body: { policy_uuid: moved?.policy_id ?? '', published: false },
    })
    expect((await readPolicies()).map(({ name }) => name)).not.toContain('Parks, moved back')
    expect((await get('policy/alder/policies')).json().last_updated).toBeGreaterThan(before)
    const later = (await readPolicies()).find(({ name }) => name === 'Later')
    await call(app, city.admin, deletePolicy, { body: { policy_uuid: later?.policy_id ?? '' } })
    expect((await readPolicies()).map(({ name }) => name)).not.toContain('Later')
    expect((await get(`policy/alder/policies/${later?.policy_id}`)).statusCode).toBe(404)
  })
})

test('a revision that begins sooner replaces one that has not begun, and the one before', async () => {
  const now = await publish(await save({ policy_type: 'vehicle_cap', policy_name: 'Now', maximum: 1 }))
  const later = new Date(Date.now() + 30 * dayMs).toISOString().slice(0, 10)
  const next = await publish(await save({ ...now, region_id, policy_name: 'Next month', start_date: later }))
  const listNames = async (query: string) =>
    (await readPolicies(query)).filter(({ rules }) => rules[0]?.maximum === 1).map(({ name }) => name)
  expect([await listNames(''), await listNames(`?end_date=${Date.now() + dayMs}`)]).toEqual([
    ['Now', 'Next month'],
    ['Now'],
  ])
  const sooner = await publish(await save({ ...next, region_id, policy_name: 'Sooner', start_date: null }))
  expect(await listNames('')).toEqual(['Now', 'Sooner'])
  expect((await readPolicies()).find(({ name }) => name === 'Sooner')?.prev_policies).toEqual([
    now.policy_uuid,
    next.policy_uuid,
  ])
  expect(await listNames(`?start_date=${Date.now() + hourMs}`)).toEqual(['Sooner'])
  // The policy leaves the feed with the revision that would apply for another twenty minutes.
  await publish(sooner, false)
  expect(await listNames('')).toEqual([])
})

describe('a policy on the whole region', () => {
  it('covers the primary layer, or a square if there is no layer', async () => {
    const cap = { policy_type: 'vehicle_cap', policy_name: 'Cap', maximum: 500 }
    await publish(await save(cap))
    await publish(
      await save({ policy_type: 'no_parking', policy_name: 'Everywhere', shape_layer_uuid: 'citywide' }),
    )
    const named = (await readPolicies())
      .filter(({ name }) => ['Cap', 'Everywhere'].includes(name))
      .map(({ rules }) => rules[0]?.geographies)
    expect(named[0]).toEqual(named[1])
    const place = (await readGeographies()).find(({ geography_id: id }) => id === named[0]?.[0])
    expect(place).toMatchObject({ name: 'Alder', geography_type: 'municipal_boundary' })
    expect(place?.geography_json['features']).toHaveLength(districts.length)
    expect(loadFeedSchema('geography-2.0')(place)).toBeNull()
    const { plcy } = await call(app, city.admin, savePolicy, { body: { region_id: 'birch', ...cap } })
    await publish(plcy)
    const [square] = (await get('geography/birch/geographies')).json().geographies
    expect(square).toMatchObject({ name: 'Birch', description: expect.stringContaining('no boundary') })
    expect(loadFeedSchema('geography-2.0')(square)).toBeNull()
  })

  it('names all shapes of a whole layer, including lines', async () => {
    const streets = await addLayer(app, city.planner, { region_id, layer_name: 'Lanes', shapes: lanes })
    await publish(
      await save({
        policy_type: 'slow_ride',
        policy_name: 'Slow',
        unit: 'mph',
        maximum: 8,
        shape_layer_uuid: streets.shape_layer_uuid,
      }),
    )
    const slow = (await readPolicies()).find(({ name }) => name === 'Slow')
    expect(slow?.rules[0]?.geographies).toHaveLength(lanes.length)
    for (const geography of await readGeographies())
      expect(loadFeedSchema('geography-2.0')(geography)).toBeNull()
  })
})

test('the requirements feed lists the policy feeds', async () => {
  const published = (await get('policy/alder/requirements')).json()
  expect(loadFeedSchema('requirements-2.0')(published)).toBeNull()
  expect(published).toMatchObject({
    metadata: { agency_name: 'City of alder', agency_timezone: 'America/New_York' },
    programs: [{ provider_ids: [swift] }],
  })
})

test('public policies have plain fields, without personal data', async () => {
  const response = await request(app, { method: 'GET', url: '/v2/public/regions/alder/policies' })
  const published = PublicPolicies.parse(response.json())
  expect(published).toMatchObject({ text: 'Alder', timezone: 'America/New_York', currencyCode: 'USD' })
  expect(published.policies.map(({ policy_name: name }) => name)).toEqual(['Cap', 'Everywhere', 'Slow'])
  const [cap, , slow] = published.policies
  expect([cap?.is_region_wide, cap?.maximum, slow?.is_region_wide, slow?.geography_ids.length]).toEqual([
    true,
    500,
    false,
    lanes.length,
  ])
  expect(published.geographies.map(({ geography_id: id }) => id).toSorted()).toEqual(
    [...new Set(published.policies.flatMap(({ geography_ids: ids }) => ids))].toSorted(),
  )
  expect(response.body).not.toMatch(/@|created_by|modified_by/)
  expect([
    response.headers['cache-control'],
    (
      await request(app, {
        method: 'GET',
        url: '/v2/public/regions/alder/policies',
        headers: { 'if-none-match': String(response.headers.etag) },
      })
    ).statusCode,
  ]).toEqual(['public, max-age=60', 304])
  expect((await request(app, { method: 'GET', url: '/v2/public/regions/nowhere/policies' })).statusCode).toBe(
    404,
  )
})

test('past states remain readable, including superseded, withdrawn and deleted revisions', async () => {
  const regionId = 'birch'
  const saveInBirch = async (overrides: Partial<PolicyToSave>): Promise<Policy> =>
    (
      await call(app, city.admin, savePolicy, {
        body: { region_id: regionId, policy_type: 'vehicle_cap', ...overrides },
      })
    ).plcy
  const first = await publish(await saveInBirch({ policy_name: 'One', maximum: 1 }))
  const second = await publish(await saveInBirch({ ...first, region_id: regionId, maximum: 2 }))
  const findKnown = async (at: Date) =>
    (await findPublishedRevisions(app.state, systemScope, regionId, at)).filter(
      ({ policy }) => policy.policy_name === 'One',
    )
  const [firstState, secondState] = await findKnown(new Date())
  expect([
    firstState?.policy.policy_uuid,
    firstState?.until,
    secondState?.policy.policy_uuid,
    secondState?.until,
  ]).toEqual([first.policy_uuid, secondState?.from, second.policy_uuid, null])
  expect(secondState?.geographies).toMatchObject([{ shape_uuid: null, name: 'Birch' }])
  // Deleted within the notice of twenty minutes, so neither was ever in force.
  await call(app, city.admin, deletePolicy, { body: second })
  expect(await findKnown(new Date())).toEqual([])
  await app.state
    .as(systemScope)
    .updateTable('policy')
    .set({ unpublished_time: new Date((secondState?.from ?? 0) + hourMs) })
    .where('constant_policy_id', '=', second.constant_policy_uuid)
    .execute()
  expect(
    (await findKnown(new Date())).map(({ policy, from, until }) => [
      policy.maximum,
      until === null ? null : until - from,
    ]),
  ).toEqual([
    [1, (firstState?.until ?? 0) - (firstState?.from ?? 0)],
    [2, 3_600_000],
  ])
})

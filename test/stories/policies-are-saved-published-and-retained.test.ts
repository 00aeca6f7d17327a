import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { FeeOptions } from '#contract/policy.ts'
import { type Layer, type Shape } from '#contract/geography.ts'
import {
  layerHasPolicies,
  listLayerDependents,
  listPotentialRules,
  listShapePolicies,
} from '#contract/geography-use.ts'
import {
  deletePolicy,
  discardDraft,
  duplicatePolicy,
  getPolicy,
  getPolicyByConstant,
  listPolicies,
  listPolicyRevisions,
  publishPolicy,
  savePolicy,
  type PolicyToSave,
} from '#contract/policies.ts'
import type { Policy } from '#contract/policy.ts'
import { systemScope } from '#server/identity/scope.ts'
import { call, openTestApp, readProblem, request, send, type TestApp } from '../app.ts'
import { addLayer, makeRegions, type TestCity, readShapes, addOperators } from '../city.ts'
import { districts } from '../city/shapes.ts'

let app: TestApp
let city: TestCity
let layer: Layer
let shapes: Shape[]
const region_id = 'alder'
const cap = { region_id, policy_type: 'vehicle_cap', policy_name: 'Cap', maximum: 500 }

type Overrides = Partial<PolicyToSave>
const save = async (overrides: Overrides): Promise<Policy> =>
  (await call(app, city.admin, savePolicy, { body: { region_id, ...overrides } })).plcy
const getSaveProblem = async (overrides: Overrides) =>
  readProblem(await send(app, city.admin, savePolicy, { body: { region_id, ...overrides } }))
const publish = async (policy: Policy, published = true): Promise<Policy> =>
  (await call(app, city.admin, publishPolicy, { body: { policy_uuid: policy.policy_uuid, published } })).plcy
const readPolicies = async (filter: object = {}) =>
  (await call(app, city.viewer, listPolicies, { body: { region_id, ...filter } })).data
const listNames = async (filter: object = {}) =>
  (await readPolicies(filter)).map(({ policy_name: name }) => name)
const readHistory = async (policy: Policy) =>
  (await call(app, city.viewer, listPolicyRevisions, { params: policy })).items
const makeChange = (policy: Policy, change: Overrides): Overrides => ({ ...policy, ...change })

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  layer = await addLayer(app, city.planner, { region_id, layer_name: 'Districts', shapes: districts })
  shapes = await readShapes(app, city.viewer, layer)
  await addOperators(app, city.admin, ['swift', 'lark'])
})
afterAll(() => app.close())

describe('a policy', () => {
  it('is saved as a draft, found by id and by constant id, and saved again in place', async () => {
    const first = await save(cap)
    expect(first).toMatchObject({
      policy_name: 'Cap',
      maximum: 500,
      minimum: null,
      published: false,
      published_time: null,
      status: 'saved',
      policy_category: 'mobility',
      created_by_email: 'admin@alder.example',
      region_id,
    })
    const second = await save(makeChange(first, { maximum: 400, description: 'Less' }))
    expect(second).toMatchObject({
      policy_uuid: first.policy_uuid,
      constant_policy_uuid: first.constant_policy_uuid,
      maximum: 400,
      created_time: first.created_time,
    })
    expect(Date.parse(second.modified_time)).toBeGreaterThan(Date.parse(first.modified_time))
    expect(await call(app, city.viewer, getPolicy, { params: first })).toEqual({
      ...second,
      published_policy_uuid: null,
    })
    expect((await call(app, city.viewer, getPolicyByConstant, { params: first })).policy.maximum).toBe(400)
    expect(await readHistory(first)).toMatchObject([{ revision: 1, state: 'draft', changes: [] }])
    // An unchanged policy is not saved again.
    expect((await save(makeChange(second, {}))).modified_time).toBe(second.modified_time)
  })

  it('retains all fields of its type exactly', async () => {
    const fee = await save({
      policy_type: 'parking_fees',
      policy_name: 'Kerb',
      shape_layer_uuid: layer.shape_layer_uuid,
      minimum: 3,
      value: 9,
      start_date: '2026-06-01',
      end_date: '2026-05-01',
      messages: { 'en-US': 'No' },
      fee_properties: {
        parking_fee_type: 'variable_price_schedule',
        vehicle_count_method: null,
        prices: {
          weekday: [{ start_time: '07:00:00', end_time: '23:59:59', price: 1.15 }],
          all: [{ start_time: '00:00:00', end_time: null, price: 0.29 }],
        },
        prices_by_duration: [],
        options: FeeOptions.parse({}),
      },
    })
    expect(fee).toMatchObject({
      minimum: null,
      value: null,
      end_date: '2026-06-01',
      messages: {},
      fee_properties: {
        prices: {
          weekday: [{ start_time: '07:00:00', end_time: null, price: 1.15 }],
          all: [{ start_time: null, end_time: null, price: 0.29 }],
        },
      },
    })
    const [stored] = await app.state
      .as(systemScope)
      .selectFrom('policy')
      .select(['fields', 'currency'])
      .where('policy_id', '=', fee.policy_uuid)
      .execute()
    expect(stored).toMatchObject({
      currency: 'USD',
      fields: { fee_properties: { prices: { weekday: [{ price: 115 }], all: [{ price: 29 }] } } },
    })
    expect((await save(makeChange(fee, {}))).modified_time).toBe(fee.modified_time)
    await call(app, city.admin, deletePolicy, { body: fee })
  })

  it('is rejected if invalid, with each field', async () => {
    expect(await getSaveProblem({})).toMatchObject({
      status: 422,
      detail: 'Please resolve errors to save.',
      issues: [
        { path: 'body.policy_name', message: 'Please enter a value' },
        { path: 'body.policy_type', message: 'Please enter a value' },
      ],
    })
    expect(
      (
        await getSaveProblem({
          policy_type: 'no_ride',
          policy_name: 'P',
          shape_layer_uuid: layer.shape_layer_uuid,
          start_time: '07:30:00',
        })
      ).issues,
    ).toEqual([
      { path: 'body.start_time', message: "Policy only supports hour increments. Minutes must be ':00'" },
    ])
    expect((await getSaveProblem({ ...cap, operators: ['swift', 'nobody'] })).issues).toEqual([
      { path: 'body.operators', message: "There is no operator 'nobody'." },
    ])
    const other = 'aaaaaaaa-0000-4000-8000-000000000009'
    expect(
      (await getSaveProblem({ policy_type: 'no_ride', policy_name: 'P', shape_layer_uuid: other })).issues,
    ).toMatchObject([{ path: 'body.shape_layer_uuid' }])
    expect(
      (
        await getSaveProblem({
          policy_type: 'no_ride',
          policy_name: 'P',
          shape_layer_uuid: layer.shape_layer_uuid,
          shape_uuids: [shapes[0]?.shape_uuid ?? '', other],
        })
      ).issues,
    ).toMatchObject([{ path: 'body.shape_uuids' }])
    expect((await getSaveProblem({ ...cap, region_id: 'cedar' })).status).toBe(404)
    expect((await getSaveProblem({ ...cap, policy_uuid: other })).status).toBe(404)
    expect(await listNames()).toEqual(['Cap'])
  })

  it('can be changed only with the key, and is visible only to its own city', async () => {
    const [policy] = await readPolicies()
    if (!policy) throw new Error('no policy')
    for (const [endpoint, body] of [
      [savePolicy, cap],
      [deletePolicy, policy],
      [publishPolicy, { ...policy, published: true }],
      [duplicatePolicy, policy],
    ] as const)
      expect(readProblem(await send(app, city.planner, endpoint, { body: body as never })).status).toBe(403)
    for (const endpoint of [getPolicy, getPolicyByConstant, listPolicyRevisions])
      expect(readProblem(await send(app, city.stranger, endpoint, { params: policy })).status).toBe(404)
    for (const [endpoint, body] of [
      [deletePolicy, policy],
      [publishPolicy, { ...policy, published: true }],
      [duplicatePolicy, policy],
      [savePolicy, { ...policy, region_id: 'cedar' }],
      [listPolicies, { region_id }],
    ] as const)
      expect(readProblem(await send(app, city.stranger, endpoint, { body: body as never })).status).toBe(404)
    expect(await listNames()).toEqual(['Cap'])
  })
})

describe('publishing a policy', () => {
  it('freezes a revision; the next save creates another, which replaces it when published', async () => {
    const [draft] = await readPolicies()
    const first = await publish(draft as Policy)
    expect(first).toMatchObject({
      published: true,
      status: 'published',
      policy_uuid: draft?.policy_uuid,
      published_time: expect.any(String),
    })
    const second = await save(makeChange(first, { maximum: 300 }))
    expect(second).toMatchObject({
      published: false,
      status: 'saved',
      constant_policy_uuid: first.constant_policy_uuid,
      maximum: 300,
    })
    expect(second.policy_uuid).not.toBe(first.policy_uuid)
    expect(await readPolicies()).toMatchObject([
      { policy_uuid: second.policy_uuid, published_policy_uuid: first.policy_uuid },
    ])
    expect(await call(app, city.viewer, getPolicy, { params: first })).toMatchObject({
      published: true,
      maximum: 400,
    })
    // The draft of a published policy changes in place.
    expect((await save(makeChange(second, { maximum: 350 }))).policy_uuid).toBe(second.policy_uuid)
    const released = await publish(second)
    expect(released).toMatchObject({ policy_uuid: second.policy_uuid, published: true, maximum: 350 })
    expect(await readHistory(first)).toMatchObject([
      {
        policy_uuid: second.policy_uuid,
        revision: 2,
        state: 'published',
        published_by_email: 'admin@alder.example',
        changes: [{ field: 'maximum', before: 400, after: 350 }],
      },
      {
        policy_uuid: first.policy_uuid,
        revision: 1,
        state: 'superseded',
        created_by_email: 'admin@alder.example',
      },
    ])
  })

  it('can be undone and repeated, each time as a new revision', async () => {
    const [policy] = await readPolicies()
    expect(await publish(policy as Policy, false)).toMatchObject({
      published: false,
      status: 'saved',
      policy_uuid: policy?.policy_uuid,
    })
    expect((await readHistory(policy as Policy))[0]).toMatchObject({
      state: 'unpublished',
      unpublished_time: expect.any(String),
    })
    const back = await publish(policy as Policy)
    expect(back).toMatchObject({ published: true, maximum: 350 })
    expect(back.policy_uuid).not.toBe(policy?.policy_uuid)
    // A second click changes nothing.
    expect((await publish(back)).published_time).toBe(back.published_time)
    expect((await readHistory(back)).map(({ state }) => state)).toEqual([
      'published',
      'unpublished',
      'superseded',
    ])
  })

  it('is rejected if the policy is expired', async () => {
    const old = await save({ ...cap, policy_name: 'Old', start_date: '2020-01-01', end_date: '2020-12-31' })
    expect(old.status).toBe('expired')
    expect(
      readProblem(await send(app, city.admin, publishPolicy, { body: { ...old, published: true } })),
    ).toMatchObject({ status: 409, detail: 'This policy is expired and cannot be published.' })
    expect((await call(app, city.viewer, getPolicy, { params: old })).published).toBe(false)
  })
})

describe('concurrent editors of a policy', () => {
  it('never overwrite each other: the second one gets the stored version', async () => {
    const mine = await save({ ...cap, policy_name: 'Shared' })
    const theirs = await save({ ...makeChange(mine, { maximum: 100 }), if_modified_time: mine.modified_time })
    expect(
      await getSaveProblem({ ...makeChange(mine, { maximum: 200 }), if_modified_time: mine.modified_time }),
    ).toMatchObject({
      status: 409,
      current: { policy_uuid: mine.policy_uuid, maximum: 100, modified_time: theirs.modified_time },
    })
    for (const [endpoint, input] of [
      [publishPolicy, { published: true }],
      [deletePolicy, {}],
    ] as const)
      expect(
        readProblem(
          await send(app, city.admin, endpoint, {
            body: { policy_uuid: mine.policy_uuid, if_modified_time: mine.modified_time, ...input } as never,
          }),
        ).status,
      ).toBe(409)
    expect(
      (await save({ ...makeChange(theirs, { maximum: 200 }), if_modified_time: theirs.modified_time }))
        .maximum,
    ).toBe(200)
    await call(app, city.admin, deletePolicy, { body: { policy_uuid: mine.policy_uuid } })
    expect(
      await getSaveProblem({ ...makeChange(mine, {}), if_modified_time: mine.modified_time }),
    ).toMatchObject({ status: 409, current: null })
  })

  it('create one revision, not two', async () => {
    const published = await publish(await save({ ...cap, policy_name: 'Race' }))
    const responses = await Promise.all(
      [1, 2, 3, 4].map((maximum) =>
        send(app, city.admin, savePolicy, {
          body: {
            ...makeChange(published, { maximum }),
            region_id,
            if_modified_time: published.modified_time,
          },
        }),
      ),
    )
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409])
    expect(await readHistory(published)).toHaveLength(2)
    await call(app, city.admin, deletePolicy, { body: published })
  })
})

describe('a draft beside a published revision', () => {
  it('can be discarded alone: the policy is the one in the feed again, and can be edited', async () => {
    const published = await publish(await save({ ...cap, policy_name: 'Kept' }))
    const draft = await save(makeChange(published, { maximum: 9 }))
    for (const user of [city.planner, city.viewer])
      expect(readProblem(await send(app, user, discardDraft, { body: draft })).status).toBe(403)
    expect(readProblem(await send(app, city.stranger, discardDraft, { body: draft })).status).toBe(404)
    const { plcy } = await call(app, city.admin, discardDraft, {
      body: { policy_uuid: draft.policy_uuid, if_modified_time: draft.modified_time },
    })
    expect(plcy).toEqual({ ...published, published_policy_uuid: published.policy_uuid })
    expect(await readHistory(published)).toMatchObject([
      { policy_uuid: published.policy_uuid, state: 'published' },
    ])
    expect((await send(app, city.viewer, getPolicy, { params: draft })).statusCode).toBe(404)
    expect(
      await save(makeChange(plcy, { maximum: 8, if_modified_time: plcy.modified_time } as Overrides)),
    ).toMatchObject({ published: false, maximum: 8, constant_policy_uuid: published.constant_policy_uuid })
    await call(app, city.admin, deletePolicy, { body: published })
  })

  it('cannot be discarded with an outdated version; the conflict contains the published one', async () => {
    const published = await publish(await save({ ...cap, policy_name: 'Two at it' }))
    const draft = await save(makeChange(published, { maximum: 9 }))
    const newer = await save({ ...makeChange(draft, { maximum: 10 }), if_modified_time: draft.modified_time })
    expect(
      readProblem(
        await send(app, city.admin, discardDraft, {
          body: { policy_uuid: draft.policy_uuid, if_modified_time: draft.modified_time },
        }),
      ),
    ).toMatchObject({ status: 409, current: { maximum: 10 } })
    await call(app, city.admin, discardDraft, {
      body: { policy_uuid: newer.policy_uuid, if_modified_time: newer.modified_time },
    })
    expect(
      await getSaveProblem({ ...makeChange(newer, { maximum: 11 }), if_modified_time: newer.modified_time }),
    ).toMatchObject({
      status: 409,
      current: { policy_uuid: published.policy_uuid, published: true, maximum: 500 },
    })
    for (const endpoint of [publishPolicy, discardDraft])
      expect(
        readProblem(
          await send(app, city.admin, endpoint, {
            body: { policy_uuid: newer.policy_uuid, published: true, if_modified_time: newer.modified_time },
          }),
        ).status,
      ).toBe(409)
    await call(app, city.admin, deletePolicy, { body: published })
  })

  it('is neither a single draft nor the published revision', async () => {
    const alone = await save({ ...cap, policy_name: 'Alone' })
    expect(readProblem(await send(app, city.admin, discardDraft, { body: alone }))).toMatchObject({
      status: 409,
      detail: 'There is no draft beside the published revision.',
    })
    const published = await publish(alone)
    expect(readProblem(await send(app, city.admin, discardDraft, { body: published })).status).toBe(409)
    await call(app, city.admin, deletePolicy, { body: published })
  })
})

describe('the policy library', () => {
  it('filters and sorts policies', async () => {
    await save({
      policy_type: 'no_parking',
      policy_name: 'Market',
      description: 'On Saturdays',
      shape_layer_uuid: 'citywide',
      operators: ['swift'],
      vehicle_types: ['scooter'],
      start_date: '2026-03-01',
    })
    expect(await listNames()).toEqual(['Cap', 'Market', 'Old'])
    expect(await listNames({ sort: '-policy_name' })).toEqual(['Old', 'Market', 'Cap'])
    expect(await listNames({ sort: 'start_date' })).toEqual(['Old', 'Market', 'Cap'])
    expect(await listNames({ sort: '-start_date' })).toEqual(['Market', 'Old', 'Cap'])
    expect(await listNames({ text: 'saturday' })).toEqual(['Market'])
    expect(await listNames({ types: ['vehicle_cap'] })).toEqual(['Cap', 'Old'])
    expect([
      await listNames({ statuses: ['published'] }),
      await listNames({ statuses: ['saved'] }),
      await listNames({ statuses: ['expired', 'saved'] }),
    ]).toEqual([['Cap'], ['Market'], ['Market', 'Old']])
    expect([await listNames({ operators: ['lark'] }), await listNames({ vehicle_types: ['car'] })]).toEqual([
      ['Cap', 'Old'],
      ['Cap', 'Old'],
    ])
    expect(await listNames({ policy_category: 'curb' })).toEqual([])
    expect(
      await call(app, city.viewer, listPolicies, { body: { region_id, page: 2, size: 2 } }),
    ).toMatchObject({ data: [{ policy_name: 'Old' }], total: 3, page: 2, size: 2 })
    expect(await call(app, city.viewer, listPolicies, { body: { region_id: 'birch' } })).toEqual({
      data: [],
      total: 0,
      page: 1,
      size: 300,
    })
  })

  it('copies a policy', async () => {
    const [policy] = await readPolicies({ types: ['vehicle_cap'] })
    const { plcy: copy } = await call(app, city.admin, duplicatePolicy, {
      body: { policy_uuid: policy?.policy_uuid ?? '' },
    })
    expect(copy).toMatchObject({ policy_name: 'Cap (copy)', published: false, status: 'saved', maximum: 350 })
    expect([copy.policy_uuid, copy.constant_policy_uuid]).not.toContain(policy?.constant_policy_uuid)
    await call(app, city.admin, deletePolicy, { body: copy })
    expect(readProblem(await send(app, city.viewer, getPolicy, { params: copy })).detail).toBe(
      "The policy you selected can't be found",
    )
    expect((await send(app, city.viewer, listPolicyRevisions, { params: copy })).statusCode).toBe(404)
  })

  it('retains published revisions when a policy is deleted', async () => {
    const [policy] = await readPolicies({ types: ['vehicle_cap'] })
    await call(app, city.admin, deletePolicy, { body: { policy_uuid: policy?.policy_uuid ?? '' } })
    expect(await listNames()).toEqual(['Market', 'Old'])
    expect(
      readProblem(await send(app, city.viewer, getPolicyByConstant, { params: policy as Policy })).status,
    ).toBe(404)
    expect((await readHistory(policy as Policy)).map(({ state }) => state)).toEqual([
      'deleted',
      'deleted',
      'deleted',
    ])
    expect(readProblem(await send(app, city.admin, deletePolicy, { body: policy as Policy })).status).toBe(
      404,
    )
  })
})

test('layers and shapes list the policies that use them', async () => {
  const [first, second] = shapes
  const makeParams = (shape: Shape | undefined) => ({
    params: { region_id, shape_uuid: shape?.shape_uuid ?? '' },
  })
  const inLayer = { params: { region_id, shape_layer_uuid: layer.shape_layer_uuid } }
  expect(await call(app, city.viewer, layerHasPolicies, inLayer)).toEqual({ has_policies: false })
  const citywidePolicy = await publish(
    await save({
      policy_type: 'no_ride',
      policy_name: 'One shape',
      shape_layer_uuid: layer.shape_layer_uuid,
      shape_uuids: [first?.shape_uuid ?? ''],
    }),
  )
  await save({ policy_type: 'no_ride', policy_name: 'Whole layer', shape_layer_uuid: layer.shape_layer_uuid })
  // Its draft is in another place: the revision in the feed still applies here.
  await save(makeChange(citywidePolicy, { shape_uuids: [second?.shape_uuid ?? ''] }))
  expect(
    (await call(app, city.viewer, listLayerDependents, inLayer)).dependents.map(
      ({ kind, name }) => `${kind} ${name}`,
    ),
  ).toEqual(['policy One shape', 'policy Whole layer'])
  expect(
    (await call(app, city.viewer, listShapePolicies, makeParams(first))).items.map(
      ({ policy_name: name }) => name,
    ),
  ).toEqual(['One shape', 'Whole layer'])
  expect(
    (await call(app, city.viewer, listPotentialRules, makeParams(second))).items.map(
      ({ policy_name: name }) => name,
    ),
  ).toEqual(['One shape', 'Whole layer'])
})

test('legacy calls are answered with the success flag, and every change is in the audit log', async () => {
  const { token } = city.admin
  const post = (path: string, body: object) =>
    request(app, { method: 'POST', url: `/apipy/policies/${path}`, body: { token, region_id, ...body } })
  const saved = (await post('save', cap)).json()
  expect(saved).toMatchObject({ success: true, plcy: { policy_name: 'Cap' } })
  const { policy_uuid, constant_policy_uuid } = saved.plcy
  expect((await post('publish', { policy_uuid, published: true })).json()).toMatchObject({
    success: true,
    plcy: { published: true },
  })
  expect((await post('list', { types: ['vehicle_cap'], statuses: ['published'] })).json()).toMatchObject({
    success: true,
    data: [{ policy_uuid }],
  })
  expect((await post(`constant/${constant_policy_uuid}`, {})).json()).toMatchObject({
    success: true,
    policy: { policy_uuid },
  })
  expect((await post('get_mds_policies', {})).json()).toMatchObject({
    success: true,
    version: '2.0.0',
    policies: expect.any(Array),
  })
  expect((await post('get_mds_geographies', {})).json()).toMatchObject({
    success: true,
    geographies: expect.any(Array),
  })
  expect((await post('delete', { policy_uuid })).json()).toMatchObject({ success: true })
  const acts = await app.state
    .as(systemScope)
    .selectFrom('audit')
    .select('action')
    .where('user_email', '=', city.admin.email)
    .execute()
  expect(acts.map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      'savePolicy',
      'publishPolicy',
      'deletePolicy',
      'discardDraft',
      'duplicatePolicy',
    ]),
  )
  expect(acts.map(({ action }) => action)).not.toContain('listPolicies')
})

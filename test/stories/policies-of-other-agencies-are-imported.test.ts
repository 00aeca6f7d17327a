import fs from 'node:fs'
import type http from 'node:http'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { listLayers, type Shape } from '#contract/geography.ts'
import type { MdsPolicy } from '#contract/mds-policy.ts'
import {
  deletePolicy,
  discardDraft,
  duplicatePolicy,
  listPolicies,
  publishPolicy,
  savePolicy,
} from '#contract/policies.ts'
import { importPolicies, type ImportSource, previewPolicyImport } from '#contract/policy-import.ts'
import { call, openTestApp, readProblem, request, send, type TestApp } from '../app.ts'
import { addLayer, makeRegions, type TestCity, readShapes } from '../city.ts'
import { districts } from '../city/shapes.ts'
import { openOperator, type OperatorServer } from '../feeds/operator-server.ts'

let app: TestApp
let city: TestCity
let agency: OperatorServer
let shapes: Shape[]
let served: (path: string, response: http.ServerResponse) => void | Promise<void>

const readFeed = async (region: string, path: 'policy' | 'geography', name: string, version = '2.0') =>
  (
    await request(app, {
      method: 'GET',
      url: `/mds/${path}/${region}/${name}`,
      headers: { accept: `application/vnd.mds+json;version=${version}` },
    })
  ).json()
/** Reads policies with names of geographies instead of ids, which differ between regions. */
const readImportedPolicies = async (region: string) => {
  const names = new Map(
    (await readFeed(region, 'geography', 'geographies')).geographies.map(
      (geography: { geography_id: string; name: string }) => [geography.geography_id, geography.name],
    ),
  )
  const policies = (await readFeed(region, 'policy', 'policies?start_date=0')).policies as MdsPolicy[]
  return policies
    .map(({ name, rules }) => ({
      name,
      rules: rules.map(({ rule_id: _id, geographies, ...rule }) => ({
        ...rule,
        places: geographies.map((id) => names.get(id)),
      })),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
const previewSource = (source: ImportSource, region_id = 'birch') =>
  call(app, city.admin, previewPolicyImport, { body: { region_id, source } })
const importSource = async (source: ImportSource, region_id = 'birch') => {
  const { digest, policies } = await previewSource(source, region_id)
  return call(app, city.admin, importPolicies, {
    body: {
      region_id,
      source,
      digest,
      agency_name: 'City of Alder',
      policy_ids: policies.filter(({ faults }) => !faults.length).map(({ policy_id: id }) => id),
    },
  })
}
const readDrafts = async (region_id = 'birch') =>
  (await call(app, city.admin, listPolicies, { body: { region_id } })).data
const makeSource = (path: string): ImportSource => ({ policies_url: `${agency.url}${path}` })

beforeAll(async () => {
  app = await openTestApp(undefined, { PRIVATE_ADDRESSES: 'on' })
  city = await makeRegions(app)
  agency = await openOperator(({ path }, response) => void served(path, response))
  const layer = await addLayer(app, city.planner, {
    region_id: 'alder',
    layer_name: 'Districts',
    shapes: districts,
  })
  shapes = await readShapes(app, city.viewer, layer)
  const where = {
    shape_layer_uuid: layer.shape_layer_uuid,
    shape_uuids: shapes.slice(0, 2).map(({ shape_uuid: id }) => id),
  }
  const policies = [
    {
      policy_type: 'no_parking',
      policy_name: 'A ban',
      ...where,
      start_time: '08:00:00',
      end_time: '18:00:00',
      messages: { 'en-US': 'Not here' },
    },
    {
      policy_type: 'distribution',
      policy_name: 'B shares',
      ...where,
      allocation: 'vehicles_per_operator_per_shape' as const,
      minimum: 5,
      maximum: 50,
    },
    {
      policy_type: 'distribution',
      policy_name: 'C percent',
      ...where,
      allocation: 'percent_vehicles_per_operator_per_shape' as const,
      maximum: 50,
    },
    {
      policy_type: 'slow_ride',
      policy_name: 'D slow',
      ...where,
      unit: 'mph' as const,
      maximum: 8,
      vehicle_types: ['scooter' as const],
    },
    { policy_type: 'preferred_parking', policy_name: 'E corrals', ...where, minimum: 30 },
  ]
  for (const policy of policies) {
    const { plcy } = await call(app, city.admin, savePolicy, { body: { region_id: 'alder', ...policy } })
    await call(app, city.admin, publishPolicy, { body: { policy_uuid: plcy.policy_uuid, published: true } })
  }
  served = async (path, response) => {
    const [, , kind = '', name = ''] = path.split('/')
    response.end(JSON.stringify(await readFeed('alder', kind as 'policy', name)))
  }
})
afterAll(async () => {
  await agency.close()
  await app.close()
})

describe('a feed of MDS Policy', () => {
  const source = () => makeSource('/mds/policy/policies')

  it('is previewed without storing anything, as policies of a type or stored as MDS rules', async () => {
    const { policies, version, source: name } = await previewSource(source())
    expect([version, name]).toEqual(['2.0.0', `${agency.url}/mds/policy/policies`])
    expect(policies.map(({ policy_name: called, policy_type: type }) => [called, type]).toSorted()).toEqual([
      ['A ban', 'no_parking'],
      ['B shares', 'distribution'],
      ['C percent', null],
      ['D slow', 'slow_ride'],
      ['E corrals', null],
    ])
    expect(await readDrafts()).toEqual([])
    expect((await call(app, city.admin, listLayers, { params: { region_id: 'birch' } })).items).toEqual([])
  })

  it('is imported as drafts with their source on its own layer; published ones have the same rules', async () => {
    expect(await importSource(source())).toMatchObject({ imported: 5, skipped: 0 })
    const found = await readDrafts()
    expect(found.map(({ policy_type: type }) => type)).toEqual([
      'no_parking',
      'distribution',
      'unknown',
      'slow_ride',
      'unknown',
    ])
    expect(found[0]).toMatchObject({
      published: false,
      imported_source: `${agency.url}/mds/policy/policies`,
      agency_name: 'City of Alder',
      start_time: '08:00:00',
      end_time: '18:00:00',
    })
    expect((await call(app, city.admin, listLayers, { params: { region_id: 'birch' } })).items).toMatchObject(
      [{ layer_name: 'City of Alder', shape_count: 2 }],
    )
    for (const { policy_uuid: id } of found)
      await call(app, city.admin, publishPolicy, { body: { policy_uuid: id, published: true } })
    expect(await readImportedPolicies('birch')).toEqual(await readImportedPolicies('alder'))
    const listIds = (policies: MdsPolicy[]) =>
      policies.flatMap(({ policy_id: id, rules }) => [id, ...rules.map(({ rule_id: rule }) => rule)])
    const [mine, theirs] = [
      (await readFeed('birch', 'policy', 'policies?start_date=0')).policies,
      (await readFeed('alder', 'policy', 'policies?start_date=0')).policies,
    ]
    expect(listIds(mine).filter((id) => listIds(theirs).includes(id))).toEqual([])
  })

  it('is imported once; a repeated import changes nothing', async () => {
    expect(
      (await previewSource(source())).policies.every(
        ({ here }) => here?.is_changed === false && !here.is_edited,
      ),
    ).toBe(true)
    expect(await importSource(source())).toEqual({
      imported: 0,
      updated: 0,
      skipped: 5,
      shape_layer_uuid: null,
    })
  })

  it('can have policies stored as MDS rules, which can be deleted, but neither edited nor copied', async () => {
    const unknown = (await readDrafts()).find(({ policy_type: type }) => type === 'unknown')
    if (!unknown) throw new Error('none was kept')
    expect(
      readProblem(await send(app, city.admin, savePolicy, { body: { ...unknown, policy_name: 'Mine' } }))
        .status,
    ).toBe(422)
    expect(readProblem(await send(app, city.admin, duplicatePolicy, { body: unknown })).status).toBe(422)
    await call(app, city.admin, deletePolicy, { body: { policy_uuid: unknown.policy_uuid } })
    expect(await readDrafts()).toHaveLength(4)
  })

  it('is not imported if it changed since the preview, without the key, or into regions of others', async () => {
    const request = {
      region_id: 'birch',
      source: source(),
      digest: 'another',
      agency_name: 'A',
      policy_ids: ['x'],
    }
    expect(readProblem(await send(app, city.admin, importPolicies, { body: request })).status).toBe(409)
    for (const [user, status] of [
      [city.planner, 403],
      [city.viewer, 403],
      [city.stranger, 404],
    ] as const)
      for (const [endpoint, body] of [
        [previewPolicyImport, request],
        [importPolicies, request],
      ] as const)
        expect(readProblem(await send(app, user, endpoint, { body: body as never })).status).toBe(status)
  })
})

describe('a change by the agency after the import', () => {
  const makePolicy = (overrides: Partial<MdsPolicy> = {}, maximum = 5): MdsPolicy => ({
    name: 'Wharf',
    policy_id: 'wharf-1',
    start_date: Date.UTC(2026, 0, 1),
    rules: [
      {
        name: 'R',
        rule_id: 'r',
        rule_type: 'speed',
        rule_units: 'mph',
        geographies: ['quay'],
        states: { on_trip: [] },
        maximum,
      },
    ],
    ...overrides,
  })
  const ground = (east: number) => ({
    geography_id: 'quay',
    name: 'Quay',
    geography_json: {
      type: 'Polygon',
      coordinates: [
        [
          [-83, 40],
          [east, 40],
          [east, 40.1],
          [-83, 40.1],
          [-83, 40],
        ],
      ],
    },
  })
  const source = (policies: MdsPolicy[], east = -82.9): ImportSource => ({
    file_name: 'wharf.json',
    policies: { version: '2.0.0', last_updated: 1, policies },
    geographies: { version: '2.0.0', geographies: [ground(east)] },
  })
  const findPolicies = async (source: ImportSource) => (await previewSource(source)).policies
  const findDraft = async () =>
    (await readDrafts()).find(({ imported_source: from }) => from === 'wharf.json')
  const listLayerNames = async () =>
    (await call(app, city.admin, listLayers, { params: { region_id: 'birch' } })).items.filter(
      ({ layer_name: name }) => name.startsWith('Wharf town'),
    )
  const update = async (source: ImportSource, policy_id = 'wharf-1', time?: string) => {
    const { digest, policies } = await previewSource(source)
    const version =
      time ?? policies.find((policy) => policy.policy_id === policy_id)?.here?.modified_time ?? ''
    return send(app, city.admin, importPolicies, {
      body: {
        region_id: 'birch',
        source: source,
        digest,
        agency_name: 'Wharf town',
        policy_ids: [],
        updates: [{ policy_id, if_modified_time: version }],
      },
    })
  }

  it('is listed, and updates the draft, on the existing shapes', async () => {
    const { digest } = await previewSource(source([makePolicy()]))
    expect(
      await call(app, city.admin, importPolicies, {
        body: {
          region_id: 'birch',
          source: source([makePolicy()]),
          digest,
          agency_name: 'Wharf town',
          policy_ids: ['wharf-1'],
        },
      }),
    ).toMatchObject({ imported: 1, updated: 0 })
    const first = await findDraft()
    // A new date alone does not count as a change.
    expect(await findPolicies(source([makePolicy({ published_date: 9 })]))).toMatchObject([
      { here: { is_changed: false, is_edited: false, constant_policy_uuid: first?.constant_policy_uuid } },
    ])
    expect((await update(source([makePolicy()]))).statusCode).toBe(409)
    expect(await findPolicies(source([makePolicy({}, 7)]))).toMatchObject([
      { here: { is_changed: true, is_edited: false, is_published: false } },
    ])
    expect((await update(source([makePolicy({}, 7)]))).json()).toMatchObject({
      imported: 0,
      updated: 1,
      skipped: 0,
      shape_layer_uuid: null,
    })
    expect(await findDraft()).toMatchObject({
      policy_uuid: first?.policy_uuid,
      maximum: 7,
      shape_layer_uuid: first?.shape_layer_uuid,
      shape_uuids: first?.shape_uuids,
    })
    expect(await findPolicies(source([makePolicy({}, 7)]))).toMatchObject([
      { here: { is_changed: false, is_edited: false } },
    ])
  })

  it('becomes a draft beside the published policy, which does not change; after discarding, the change is still pending', async () => {
    const published = (
      await call(app, city.admin, publishPolicy, {
        body: { policy_uuid: (await findDraft())?.policy_uuid ?? '', published: true },
      })
    ).plcy
    // A changed policy has a new id in MDS, which refers to the former one.
    const next = source([
      makePolicy({}, 7),
      makePolicy({ policy_id: 'wharf-2', prev_policies: ['wharf-1'] }, 8),
    ])
    expect(await findPolicies(next)).toMatchObject([
      { policy_id: 'wharf-1', here: { is_changed: false } },
      {
        policy_id: 'wharf-2',
        here: { is_changed: true, is_published: true, constant_policy_uuid: published.constant_policy_uuid },
      },
    ])
    expect((await update(next, 'wharf-2')).statusCode).toBe(200)
    const draft = await findDraft()
    expect(draft).toMatchObject({
      published: false,
      maximum: 8,
      imported_policy_id: 'wharf-2',
      published_policy_uuid: published.policy_uuid,
    })
    expect((await findPolicies(next)).map((policy) => policy.here?.is_changed)).toEqual([false, false])
    expect((await importSource(next)).skipped).toBe(2)
    await call(app, city.admin, discardDraft, { body: { policy_uuid: draft?.policy_uuid ?? '' } })
    expect(await findDraft()).toMatchObject({ published: true, maximum: 7 })
    expect((await findPolicies(next))[1]?.here?.is_changed).toBe(true)
  })

  it('overwrites local changes only on request', async () => {
    const policy = await findDraft()
    const { plcy: edited } = await call(app, city.admin, savePolicy, {
      body: { ...policy, region_id: 'birch', maximum: 3 } as never,
    })
    expect(await findPolicies(source([makePolicy({}, 9)]))).toMatchObject([
      { here: { is_changed: true, is_edited: true, is_published: false } },
    ])
    expect((await importSource(source([makePolicy({}, 9)]))).skipped).toBe(1)
    expect(await findDraft()).toMatchObject({ maximum: 3 })
    expect((await update(source([makePolicy({}, 9)]), 'wharf-1', policy?.modified_time)).statusCode).toBe(409)
    expect((await update(source([makePolicy({}, 9)]), 'wharf-1', edited.modified_time)).statusCode).toBe(200)
    expect(await findDraft()).toMatchObject({ maximum: 9, policy_uuid: edited.policy_uuid })
  })

  it('is imported with its own layer if it is on a new geography', async () => {
    const before = await findDraft()
    expect(await listLayerNames()).toHaveLength(1)
    expect((await update(source([makePolicy({}, 9)], -82.8))).json()).toMatchObject({
      updated: 1,
      shape_layer_uuid: expect.any(String),
    })
    expect(await listLayerNames()).toHaveLength(2)
    expect((await findDraft())?.shape_layer_uuid).not.toBe(before?.shape_layer_uuid)
  })
})

test('MDS 1.2 files are imported too, as in the official examples', async () => {
  const folder = new URL('../../../shared/standards/schemas/mds/v1.2/examples/policy/', import.meta.url)
  if (!fs.existsSync(folder)) return
  const policies = fs
    .readdirSync(folder)
    .flatMap(
      (name) =>
        (JSON.parse(fs.readFileSync(new URL(name, folder), 'utf8')) as { data: { policies: MdsPolicy[] } })
          .data.policies,
    )
  const ids = [...new Set(policies.flatMap(({ rules }) => rules.flatMap(({ geographies }) => geographies)))]
  const ground = {
    type: 'Polygon',
    coordinates: [
      [
        [-52.8, 47.5],
        [-52.7, 47.5],
        [-52.7, 47.6],
        [-52.8, 47.5],
      ],
    ],
  }
  const source: ImportSource = {
    file_name: 'examples.json',
    policies: { version: '1.2.0', data: { policies } },
    geographies: {
      version: '1.2.0',
      geographies: ids.map((id) => ({ geography_id: id, name: id, geography_json: ground })),
    },
  }
  const found = (await previewSource(source)).policies
  expect(
    found.flatMap(({ policy_name: name, faults }) =>
      faults.map(({ field, message }) => [name, field, message]),
    ),
  ).toEqual([])
  expect((await importSource(source)).imported).toBe(found.length)
})

describe('a hostile feed is rejected with a reason if it sends', () => {
  const hostile: [string, (response: http.ServerResponse) => void, RegExp][] = [
    ['garbage', (response) => response.end(Buffer.from([0, 255, 254, 7])), /not JSON/],
    ['a web page', (response) => response.end('<html>Sign in</html>'), /not JSON/],
    ['other JSON', (response) => response.end('{"trips":[]}'), /not a list of MDS policies/],
    ['100 MB', (response) => response.end(Buffer.alloc(100 * 1024 * 1024, 32)), /larger than 20 MB/],
    ['deeply nested JSON', (response) => response.end('['.repeat(100_000)), /cannot be read/],
    [
      'a redirect to the metadata of a cloud',
      (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
      /not public/,
    ],
    ['status 500', (response) => response.writeHead(500).end(), /answered 500/],
  ]
  it.each(hostile)('%s', async (_, respond, reason) => {
    served = (__, response) => respond(response)
    const problem = readProblem(
      await send(app, city.admin, previewPolicyImport, {
        body: { region_id: 'birch', source: makeSource('/policies') },
      }),
    )
    expect(problem).toMatchObject({
      status: 422,
      detail: expect.stringMatching(reason) as string,
      issues: [{ path: expect.stringMatching(/^body\.source\./) as string }],
    })
  })
})

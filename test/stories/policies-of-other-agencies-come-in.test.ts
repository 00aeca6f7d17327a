import fs from 'node:fs'
import type http from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listLayers, listShapes, type Shape } from '#contract/geography.ts'
import type { MdsPolicy } from '#contract/mds-policy.ts'
import { deletePolicy, duplicatePolicy, listPolicies, publishPolicy, savePolicy } from '#contract/policies.ts'
import { importPolicies, type ImportSource, previewPolicyImport } from '#contract/policy-import.ts'
import { ask, openTestApp, problemIn, request, send, type TestApp } from '../app.ts'
import { addLayer, makeRegions, type TestCity } from '../city.ts'
import { districts } from '../city/shapes.ts'
import { openOperator, type OperatorServer } from '../feeds/operator-server.ts'

let app: TestApp
let city: TestCity
let agency: OperatorServer
let shapes: Shape[]
let served: (path: string, response: http.ServerResponse) => void | Promise<void>

const feed = async (region: string, path: 'policy' | 'geography', name: string, version = '2.0') => (await request(app, { method: 'GET', url: `/mds/${path}/${region}/${name}`, headers: { accept: `application/vnd.mds+json;version=${version}` } })).json()
/** What rules ask, on the names of places: their ids, and those of geographies, are each region's own. */
const asked = async (region: string) => {
  const names = new Map((await feed(region, 'geography', 'geographies')).geographies.map((each: { geography_id: string; name: string }) => [each.geography_id, each.name]))
  const policies = (await feed(region, 'policy', 'policies?start_date=0')).policies as MdsPolicy[]
  return policies.map(({ name, rules }) => ({ name, rules: rules.map(({ rule_id: _id, geographies, ...rule }) => ({ ...rule, places: geographies.map((id) => names.get(id)) })) })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
const look = (source: ImportSource, region_id = 'birch') => ask(app, city.admin, previewPolicyImport, { body: { region_id, source } })
const take = async (source: ImportSource, region_id = 'birch') => {
  const { digest, policies } = await look(source, region_id)
  return ask(app, city.admin, importPolicies, { body: { region_id, source, digest, agency_name: 'City of Alder', policy_ids: policies.filter(({ faults }) => !faults.length).map(({ policy_id: id }) => id) } })
}
const drafts = async (region_id = 'birch') => (await ask(app, city.admin, listPolicies, { body: { region_id } })).data
const at = (path: string): ImportSource => ({ policies_url: `${agency.url}${path}` })

beforeAll(async () => {
  app = await openTestApp(undefined, { PRIVATE_ADDRESSES: 'on' })
  city = await makeRegions(app)
  agency = await openOperator(({ path }, response) => void served(path, response))
  const layer = await addLayer(app, city.planner, 'alder', 'Districts', districts)
  shapes = (await ask(app, city.viewer, listShapes, { params: { region_id: 'alder' }, query: { shape_layer_uuid: layer.shape_layer_uuid } })).items
  const where = { shape_layer_uuid: layer.shape_layer_uuid, shape_uuids: shapes.slice(0, 2).map(({ shape_uuid: id }) => id) }
  const policies = [
    { policy_type: 'no_parking', policy_name: 'A ban', ...where, start_time: '08:00:00', end_time: '18:00:00', messages: { 'en-US': 'Not here' } },
    { policy_type: 'distribution', policy_name: 'B shares', ...where, allocation: 'vehicles_per_operator_per_shape' as const, minimum: 5, maximum: 50 },
    { policy_type: 'distribution', policy_name: 'C percent', ...where, allocation: 'percent_vehicles_per_operator_per_shape' as const, maximum: 50 },
    { policy_type: 'slow_ride', policy_name: 'D slow', ...where, unit: 'mph' as const, maximum: 8, vehicle_types: ['scooter' as const] },
    { policy_type: 'preferred_parking', policy_name: 'E corrals', ...where, minimum: 30 },
  ]
  for (const policy of policies) {
    const { plcy } = await ask(app, city.admin, savePolicy, { body: { region_id: 'alder', ...policy } })
    await ask(app, city.admin, publishPolicy, { body: { policy_uuid: plcy.policy_uuid, published: true } })
  }
  served = async (path, response) => {
    const [, , kind = '', name = ''] = path.split('/')
    response.end(JSON.stringify(await feed('alder', kind as 'policy', name)))
  }
})
afterAll(async () => {
  await agency.close()
  await app.close()
})

describe('a feed of MDS Policy', () => {
  const source = () => at('/mds/policy/policies')

  test('is looked at without storing anything: what equals our types, and what is kept', async () => {
    const { policies, version, source: name } = await look(source())
    expect([version, name]).toEqual(['2.0.0', `${agency.url}/mds/policy/policies`])
    expect(policies.map(({ policy_name: called, policy_type: type }) => [called, type]).toSorted()).toEqual([['A ban', 'no_parking'], ['B shares', 'distribution'], ['C percent', null], ['D slow', 'slow_ride'], ['E corrals', null]])
    expect(await drafts()).toEqual([])
    expect((await ask(app, city.admin, listLayers, { params: { region_id: 'birch' } })).items).toEqual([])
  })

  test('comes in as drafts with their source, on a layer of its own; what is published of them asks the same', async () => {
    expect(await take(source())).toMatchObject({ imported: 5, skipped: 0 })
    const found = await drafts()
    expect(found.map(({ policy_type: type }) => type)).toEqual(['no_parking', 'distribution', 'unknown', 'slow_ride', 'unknown'])
    expect(found[0]).toMatchObject({ published: false, imported_source: `${agency.url}/mds/policy/policies`, agency_name: 'City of Alder', start_time: '08:00:00', end_time: '18:00:00' })
    expect((await ask(app, city.admin, listLayers, { params: { region_id: 'birch' } })).items).toMatchObject([{ layer_name: 'City of Alder', shape_count: 2 }])
    for (const { policy_uuid: id } of found) await ask(app, city.admin, publishPolicy, { body: { policy_uuid: id, published: true } })
    expect(await asked('birch')).toEqual(await asked('alder'))
    const ids = (policies: MdsPolicy[]) => policies.flatMap(({ policy_id: id, rules }) => [id, ...rules.map(({ rule_id: rule }) => rule)])
    const [mine, theirs] = [(await feed('birch', 'policy', 'policies?start_date=0')).policies, (await feed('alder', 'policy', 'policies?start_date=0')).policies]
    expect(ids(mine).filter((id) => ids(theirs).includes(id))).toEqual([])
  })

  test('comes in once: again, everything is left as it is', async () => {
    expect((await look(source())).policies.every(({ is_known: known }) => known)).toBe(true)
    expect(await take(source())).toEqual({ imported: 0, skipped: 5, shape_layer_uuid: null })
  })

  test('of which one was kept as MDS rules can be deleted, but neither edited nor copied', async () => {
    const kept = (await drafts()).find(({ policy_type: type }) => type === 'unknown')
    if (!kept) throw new Error('none was kept')
    expect(problemIn(await send(app, city.admin, savePolicy, { body: { ...kept, policy_name: 'Mine' } })).status).toBe(422)
    expect(problemIn(await send(app, city.admin, duplicatePolicy, { body: kept })).status).toBe(422)
    await ask(app, city.admin, deletePolicy, { body: { policy_uuid: kept.policy_uuid } })
    expect(await drafts()).toHaveLength(4)
  })

  test('is not imported where it changed since it was looked at, nor by those without the key, nor into the region of others', async () => {
    const given = { region_id: 'birch', source: source(), digest: 'another', agency_name: 'A', policy_ids: ['x'] }
    expect(problemIn(await send(app, city.admin, importPolicies, { body: given })).status).toBe(409)
    for (const [who, status] of [[city.planner, 403], [city.viewer, 403], [city.stranger, 404]] as const)
      for (const [endpoint, body] of [[previewPolicyImport, given], [importPolicies, given]] as const) expect(problemIn(await send(app, who, endpoint, { body: body as never })).status).toBe(status)
  })
})

test('files of MDS 1.2 come in too: the official examples', async () => {
  const folder = new URL('../../../shared/standards/schemas/mds/v1.2/examples/policy/', import.meta.url)
  if (!fs.existsSync(folder)) return
  const policies = fs.readdirSync(folder).flatMap((name) => (JSON.parse(fs.readFileSync(new URL(name, folder), 'utf8')) as { data: { policies: MdsPolicy[] } }).data.policies)
  const ids = [...new Set(policies.flatMap(({ rules }) => rules.flatMap(({ geographies }) => geographies)))]
  const ground = { type: 'Polygon', coordinates: [[[-52.8, 47.5], [-52.7, 47.5], [-52.7, 47.6], [-52.8, 47.5]]] }
  const source: ImportSource = { file_name: 'examples.json', policies: { version: '1.2.0', data: { policies } }, geographies: { version: '1.2.0', geographies: ids.map((id) => ({ geography_id: id, name: id, geography_json: ground })) } }
  const found = (await look(source)).policies
  expect(found.flatMap(({ policy_name: name, faults }) => faults.map(({ field, message }) => [name, field, message]))).toEqual([])
  expect((await take(source)).imported).toBe(found.length)
})

describe('a hostile feed does no harm:', () => {
  const hostile: [string, (response: http.ServerResponse) => void, RegExp][] = [
    ['garbage', (response) => response.end(Buffer.from([0, 255, 254, 7])), /no JSON/],
    ['a web page', (response) => response.end('<html>Sign in</html>'), /no JSON/],
    ['other JSON', (response) => response.end('{"trips":[]}'), /no list of MDS policies/],
    ['of 100 MB', (response) => response.end(Buffer.alloc(100 * 1024 * 1024, 32)), /larger than 20 MB/],
    ['nested deep', (response) => response.end('['.repeat(100_000)), /cannot be read/],
    ['one that leads to the metadata of a cloud', (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(), /not public/],
    ['one that fails', (response) => response.writeHead(500).end(), /answered 500/],
  ]
  test.each(hostile)('%s', async (_, answer, said) => {
    served = (__, response) => answer(response)
    const problem = problemIn(await send(app, city.admin, previewPolicyImport, { body: { region_id: 'birch', source: at('/policies') } }))
    expect(problem).toMatchObject({ status: 422, detail: expect.stringMatching(said) as string, issues: [{ path: expect.stringMatching(/^body\.source\./) as string }] })
  })
})

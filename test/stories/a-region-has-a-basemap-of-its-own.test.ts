import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { replaceBasemap } from '#contract/basemap.ts'
import {
  changeLayer,
  getLayerTile,
  getPublicBasemapTile,
  type Layer,
  listLayers,
  listShapes,
} from '#contract/geography.ts'
import { publishPolicy, savePolicy } from '#contract/policies.ts'
import { changeRegion, getPublicRegion, listPublicRegions, type PublicRegion } from '#contract/regions.ts'
import { setRoutePublishing } from '#contract/routes.ts'
import { makeBasemapFile } from '#server/basemap/osm/make-basemap-file.ts'
import { call, openTestApp, readProblem, request, send, type TestApp } from '../app.ts'
import { addLayer, makeRegions, type TestCity } from '../city.ts'
import { districts } from '../city/shapes.ts'
import { type OsmThings, writeOsm } from '../osm-writer.ts'
import { positions } from '../positions.ts'

let app: TestApp
let city: TestCity
let districtsBefore: Layer
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  districtsBefore = await addLayer(app, city.planner, {
    region_id: 'alder',
    layer_name: 'Streets',
    shapes: districts,
  })
})
afterAll(() => app.close())

const params = { region_id: 'alder' }
const town: OsmThings = {
  nodes: {
    1: [-72.52, 41.48],
    2: [-72.51, 41.48],
    3: [-72.5, 41.49],
    4: [-72.5, 41.5],
    5: [-72.51, 41.49, { place: 'neighbourhood', name: 'Old Town' }],
  },
  ways: [
    { id: 1, nodes: [1, 2], tags: { highway: 'primary', name: 'Main Street' } },
    { id: 2, nodes: [2, 3], tags: { highway: 'residential' } },
    { id: 3, nodes: [1, 2, 3, 1], tags: { leisure: 'park', name: 'Commons' } },
  ],
}

/** Makes the basemap file that the command uploads. */
async function makeBasemap(things: OsmThings): Promise<Buffer> {
  const [from, to] = [path.join(app.dataDir, 'city.osm.pbf'), path.join(app.dataDir, 'made.jsonl')]
  fs.writeFileSync(from, writeOsm(things))
  await makeBasemapFile(from, to, {
    box: null,
    region: { text: 'Alder', lat: 41.49, lon: -72.5 },
    source: 'city.osm.pbf',
  })
  return fs.readFileSync(to)
}
const readLayers = async (): Promise<Layer[]> => (await call(app, city.viewer, listLayers, { params })).items
const describeLayers = (layers: readonly Layer[]): string[] =>
  layers.map(({ level, layer_name, shape_count }) => `${level} ${layer_name} ${shape_count}`)

test('an extract becomes layers below the maps with attribution; the region’s own layers do not change', async () => {
  const response = await call(app, city.planner, replaceBasemap, { params, body: await makeBasemap(town) })
  expect(response.attribution).toBe('© OpenStreetMap contributors')
  const layers = await readLayers()
  expect(describeLayers(layers)).toEqual([
    `null Streets ${districts.length}`,
    'basemap:park Parks and green 1',
    'basemap:place Places 1',
    'basemap:street Streets 2',
  ])
  expect(layers[0]).toEqual({ ...districtsBefore, attribution: null })
  expect(layers.slice(1).map(({ attribution, editable }) => [attribution, editable])).toEqual(
    Array.from({ length: 3 }, () => ['© OpenStreetMap contributors', false]),
  )
  expect(new Set(layers.map(({ layer_slug }) => layer_slug)).size).toBe(4)
})

test('basemap tiles have classes, and names only where there are some', async () => {
  const layer = (await readLayers()).find(({ level }) => level === 'basemap:street')
  const response = await send(app, city.viewer, getLayerTile, {
    params: {
      ...params,
      shape_layer_uuid: layer?.shape_layer_uuid ?? '',
      z: 10,
      x: Math.floor(((-72.51 + 180) / 360) * 1024),
      y: 382,
    },
  })
  const { shapes } = new VectorTile(new PbfReader(gunzipSync(response.rawPayload))).layers
  expect(
    Array.from({ length: shapes?.length ?? 0 }, (_, index) => shapes?.feature(index).properties)
      .map((each) => [each?.['class'], each?.['name']])
      .sort(),
  ).toEqual([
    ['arterial', 'Main Street'],
    ['local', ''],
  ])
})

test('a partial upload of a killed server is removed by the next upload', async () => {
  const left = path.join(app.dataDir, 'basemap-uploads', 'left.jsonl')
  fs.writeFileSync(left, 'x')
  const old = new Date(Date.now() - 25 * 3600_000)
  fs.utimesSync(left, old, old)
  await call(app, city.planner, replaceBasemap, { params, body: await makeBasemap(town) })
  expect(fs.existsSync(left)).toBe(false)
})

test('the same extract changes nothing; another one replaces it in the same layers', async () => {
  const before = await readLayers()
  await call(app, city.planner, replaceBasemap, { params, body: await makeBasemap(town) })
  const again = await readLayers()
  expect(again.map(({ shape_layer_uuid, content_hash }) => [shape_layer_uuid, content_hash])).toEqual(
    before.map(({ shape_layer_uuid, content_hash }) => [shape_layer_uuid, content_hash]),
  )
  await call(app, city.planner, replaceBasemap, {
    params,
    body: await makeBasemap({
      ...town,
      ways: [{ id: 9, nodes: [2, 4], tags: { highway: 'motorway', name: 'Bypass' } }],
    }),
  })
  const other = await readLayers()
  expect(describeLayers(other)).toEqual([
    `null Streets ${districts.length}`,
    'basemap:place Places 1',
    'basemap:street Streets 1',
  ])
  const findStreets = (layers: readonly Layer[]) =>
    layers.find(({ level }) => level === 'basemap:street')?.shape_layer_uuid
  expect(findStreets(other)).toBe(findStreets(before))
  const { items } = await call(app, city.viewer, listShapes, {
    params,
    query: { shape_layer_uuid: findStreets(other) ?? '' },
  })
  expect(items.map(({ shape_name, shape_id }) => [shape_name, shape_id])).toEqual([['Bypass', 'w9']])
})

describe('a partial or invalid basemap', () => {
  const head = '{"basemap":1,"attribution":"© X","source":"x"}'
  const shape = (overrides: object = {}): string =>
    JSON.stringify({
      role: 'street',
      id: 'a',
      name: '',
      class: 'local',
      geometry: { type: 'LineString', coordinates: positions('0 0, 1 1') },
      ...overrides,
    })
  it.each([
    ['that ends early', [head, shape()], /not complete: 1 shapes arrived, and no end/],
    ['of other length than it says', [head, shape(), '{"end":2}'], /1 shapes arrived of 2/],
    ['of nothing', [head, '{"end":0}'], /nothing in the basemap/],
    ['without a beginning', [shape(), '{"end":1}'], /first line must say/],
    [
      'of somebody unnamed',
      ['{"basemap":1,"attribution":" ","source":"x"}', shape(), '{"end":1}'],
      /first line must say/,
    ],
    [
      'that goes on behind its end',
      [head, shape(), '{"end":1}', shape({ id: 'b' })],
      /Line 4 is after the end/,
    ],
    ['that says a thing twice', [head, shape(), shape(), '{"end":2}'], /Line 3: street a was there before/],
    ['of an unknown kind', [head, shape({ role: 'building' }), '{"end":1}'], /Line 2 .*role is wrong/],
    [
      'beyond the earth',
      [head, shape({ geometry: { type: 'LineString', coordinates: positions('0 0, 200 1') } }), '{"end":1}'],
      /Line 2: a line must have/,
    ],
    ['that is not valid JSON', [head, 'x'], /Line 2 is not valid JSON/],
  ])('%s changes nothing', async (_, lines, text) => {
    const before = await readLayers()
    const problem = readProblem(
      await send(app, city.planner, replaceBasemap, { params, body: Buffer.from(lines.join('\n')) }),
    )
    expect([problem.status, problem.detail]).toEqual([422, expect.stringMatching(text)])
    expect(await readLayers()).toEqual(before)
    expect(fs.readdirSync(path.join(app.dataDir, 'basemap-uploads'))).toEqual([])
  })

  it('can be uploaded only by users who may edit geographies of the region', async () => {
    const body = await makeBasemap(town)
    expect(readProblem(await send(app, null, replaceBasemap, { params, body })).status).toBe(401)
    expect(readProblem(await send(app, city.viewer, replaceBasemap, { params, body })).status).toBe(403)
    expect(readProblem(await send(app, city.stranger, replaceBasemap, { params, body })).status).toBe(404)
  })
})

describe('a basemap of public maps', () => {
  const place = { z: 10, x: Math.floor(((-72.51 + 180) / 360) * 1024), y: 382 }
  const readPublicRegion = (id = 'alder') => call(app, null, getPublicRegion, { params: { region_id: id } })
  const readTile = (layerId: string | undefined, id = 'alder') =>
    send(app, null, getPublicBasemapTile, {
      params: { region_id: id, shape_layer_uuid: layerId ?? '', ...place },
    })
  const listStreets = ({ basemap }: PublicRegion) =>
    basemap.find(({ role }) => role === 'street')?.shape_layer_uuid
  const setRoutes = (published: boolean) =>
    call(app, city.admin, setRoutePublishing, { params, body: { published } })
  let all: readonly Layer[]
  beforeAll(async () => {
    await call(app, city.planner, replaceBasemap, { params, body: await makeBasemap(town) })
    all = await readLayers()
    const body = { hasMdsData: true }
    await call(app, city.admin, changeRegion, { params, body })
    await call(app, city.stranger, changeRegion, { params: { region_id: 'cedar' }, body })
  })

  it('is not public if the region has no public map', async () => {
    expect(await readPublicRegion()).toMatchObject({
      has_published_policies: false,
      has_public_routes: false,
      basemap: [],
    })
    for (const { shape_layer_uuid: id } of all) expect(readProblem(await readTile(id)).status).toBe(404)
  })

  it('is shown without other layers by a published policy or public routes, until neither is public', async () => {
    const body = { region_id: 'alder', policy_type: 'vehicle_cap', policy_name: 'Cap', maximum: 9 } as const
    const { plcy: draft } = await call(app, city.admin, savePolicy, { body })
    expect((await readPublicRegion()).basemap).toEqual([])
    const publish = async (published: boolean) =>
      call(app, city.admin, publishPolicy, { body: { policy_uuid: draft.policy_uuid, published } })
    await publish(true)
    const found = await readPublicRegion()
    expect(found).toMatchObject({ has_published_policies: true, has_public_routes: false })
    const named = all
      .filter(({ level }) => level !== null)
      .map(({ shape_layer_uuid, level, content_hash, attribution }) => ({
        shape_layer_uuid,
        role: level?.replace('basemap:', ''),
        version: content_hash,
        attribution,
      }))
    expect(found.basemap).toEqual(named)
    const response = await readTile(listStreets(found))
    expect([response.statusCode, response.headers['cache-control']]).toEqual([
      200,
      expect.stringMatching(/^public/),
    ])
    const { shapes } = new VectorTile(new PbfReader(gunzipSync(response.rawPayload))).layers
    expect(Object.keys(shapes?.feature(0).properties ?? {}).toSorted()).toEqual([
      'class',
      'name',
      'shape_uuid',
    ])
    const notModified = await request(app, {
      method: 'GET',
      url: `/v2/public/regions/alder/basemap/${listStreets(found)}/vector/10/${place.x}/${place.y}`,
      headers: { 'if-none-match': String(response.headers.etag) },
    })
    expect(notModified.statusCode).toBe(304)
    for (const { level, shape_layer_uuid: id } of all)
      expect([level, (await readTile(id)).statusCode < 300]).toEqual([level, level !== null])
    await setRoutes(true)
    await publish(false)
    expect(await readPublicRegion()).toMatchObject({
      has_published_policies: false,
      has_public_routes: true,
      basemap: found.basemap,
    })
    expect((await readTile(listStreets(found))).statusCode).toBe(200)
    await setRoutes(false)
    expect((await readPublicRegion()).basemap).toEqual([])
    expect(readProblem(await readTile(listStreets(found))).status).toBe(404)
  })

  it('is found in its own region only, and not after it is removed', async () => {
    await setRoutes(true)
    await call(app, city.stranger, setRoutePublishing, {
      params: { region_id: 'cedar' },
      body: { published: true },
    })
    const streets = listStreets(await readPublicRegion())
    for (const region of ['birch', 'cedar', 'nowhere'])
      expect([region, readProblem(await readTile(streets, region)).status]).toEqual([region, 404])
    const outside = { ...params, shape_layer_uuid: streets ?? '', z: 2, x: 4, y: 0 }
    expect(readProblem(await send(app, null, getPublicBasemapTile, { params: outside })).status).toBe(404)
    await call(app, city.planner, changeLayer, {
      params: { ...params, shape_layer_uuid: streets ?? '' },
      body: { level: null },
    })
    expect(listStreets(await readPublicRegion())).toBeUndefined()
    expect(readProblem(await readTile(streets)).status).toBe(404)
  })

  it('is empty, not an error, in an unknown region', async () => {
    const list = async (id: string) =>
      (await call(app, null, listPublicRegions, { query: { region_id: id } })).items
    expect([await list('birch'), await list('nowhere')]).toEqual([[await readPublicRegion('birch')], []])
  })
})

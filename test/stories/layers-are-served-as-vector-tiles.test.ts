import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { changeShape, getLayerTile, type Layer, listShapes } from '#contract/geography.ts'
import { openTestApp, readProblem, request, send, type TestApp, call } from '../app.ts'
import { addLayer, makeRegions, type TestCity, readShapes } from '../city.ts'
import { districts, lanes } from '../city/shapes.ts'

let app: TestApp
let city: TestCity
let layer: Layer
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  layer = await addLayer(app, city.planner, {
    region_id: 'alder',
    layer_name: 'Districts',
    shapes: districts,
  })
})
afterAll(() => app.close())

/** Returns the address of the tile that contains a place. */
function getTileAddress(z: number, lon = -72.5, lat = 41.49): { z: number; x: number; y: number } {
  const sine = Math.sin((lat * Math.PI) / 180)
  return {
    z,
    x: Math.floor(((lon + 180) / 360) * 2 ** z),
    y: Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z),
  }
}
const getTile = (at: { z: number; x: number; y: number }, tileLayer = layer) =>
  send(app, city.viewer, getLayerTile, {
    params: { region_id: 'alder', shape_layer_uuid: tileLayer.shape_layer_uuid, ...at },
  })

test('a tile is gzipped MVT with ids and names of shapes at their places', async () => {
  const at = getTileAddress(12, -72.52, 41.48)
  const response = await getTile(at)
  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'application/vnd.mapbox-vector-tile',
    'content-encoding': 'gzip',
    'cache-control': expect.stringContaining('private'),
    'x-api-version': '48.68.0',
  })
  const found = new VectorTile(new PbfReader(gunzipSync(response.rawPayload)))
  expect(Object.keys(found.layers)).toEqual(['shapes'])
  const { shapes } = found.layers
  const items = await readShapes(app, city.viewer, layer)
  const names = new Map(items.map(({ shape_uuid, shape_name }) => [shape_uuid, shape_name]))
  expect(shapes?.extent).toBe(4096)
  const features = Array.from({ length: shapes?.length ?? 0 }, (_, index) => shapes?.feature(index))
  expect(features.length).toBeGreaterThan(6)
  for (const feature of features) {
    expect(names.get(String(feature?.properties['shape_uuid']))).toBe(feature?.properties['name'])
    expect(feature?.type).toBe(3)
  }
  const island = features
    .find((feature) => feature?.properties['name'] === 'Alder Island')
    ?.toGeoJSON(at.x, at.y, at.z)
  const ring = island?.geometry.type === 'Polygon' ? island.geometry.coordinates[0] : []
  const [west, north] = [
    Math.min(...(ring ?? []).map(([x]) => x ?? 0)),
    Math.max(...(ring ?? []).map(([, y]) => y ?? 0)),
  ]
  expect(west).toBeCloseTo(-72.56 + 2.35 * 0.02, 3)
  expect(north).toBeCloseTo(41.46 + 1.65 * 0.015, 3)
})

test('a tile has all districts at low zoom, and only its own at high zoom', async () => {
  const count = async (z: number): Promise<number> =>
    new VectorTile(new PbfReader(gunzipSync((await getTile(getTileAddress(z))).rawPayload))).layers['shapes']
      ?.length ?? 0
  expect(await count(8)).toBe(districts.length)
  expect(await count(16)).toBeLessThan(6)
  expect((await getTile(getTileAddress(0))).statusCode).toBe(200)
  expect([200, 204]).toContain((await getTile(getTileAddress(22))).statusCode)
})

test('a browser with the tile is not sent it again until the layer changes', async () => {
  const at = getTileAddress(11)
  const first = await getTile(at)
  const etag = String(first.headers['etag'])
  const readAgain = (tag: string) =>
    request(app, {
      method: 'GET',
      url: `/v2/regions/alder/layers/${layer.shape_layer_uuid}/vector/${at.z}/${at.x}/${at.y}?bucket=1&v=${layer.content_hash}`,
      headers: { authorization: `Bearer ${city.viewer.token}`, 'if-none-match': tag },
    })
  const same = await readAgain(etag)
  expect([same.statusCode, same.rawPayload.length, same.headers['etag']]).toEqual([304, 0, etag])
  expect((await readAgain('"else"')).statusCode).toBe(200)
  const { items } = await call(app, city.viewer, listShapes, {
    params: { region_id: 'alder' },
    query: { shape_layer_uuid: layer.shape_layer_uuid, text: 'Island' },
  })
  await call(app, city.planner, changeShape, {
    params: { region_id: 'alder', shape_uuid: items[0]?.shape_uuid ?? '' },
    body: { shape_name: 'Renamed Island' },
  })
  const changed = await readAgain(etag)
  expect([changed.statusCode, changed.headers['etag'] === etag]).toEqual([200, false])
  expect(gunzipSync(changed.rawPayload).includes('Renamed Island')).toBe(true)
})

test('shapes are listed within a box, if they intersect it', async () => {
  const listNames = async (box: string) =>
    (
      await call(app, city.viewer, listShapes, {
        params: { region_id: 'alder' },
        query: { shape_layer_uuid: layer.shape_layer_uuid, box, size: 100 },
      })
    ).items.map((shape) => shape.shape_name)
  const [west, south] = [-72.56 + 2.35 * 0.02, 41.46 + 1.65 * 0.015]
  const near = await listNames(`${west - 0.001},${south - 0.001},${west + 0.001},${south + 0.001}`)
  expect(near.some((name) => name.endsWith('Island'))).toBe(true)
  expect(near.length).toBeLessThan(5)
  expect(await listNames('-73,41,-72,42')).toHaveLength(districts.length)
  expect(await listNames('2,48,3,49')).toEqual([])
  expect(
    (
      await send(app, city.viewer, listShapes, {
        params: { region_id: 'alder' },
        query: { shape_layer_uuid: layer.shape_layer_uuid, box: '1,2,3' },
      })
    ).statusCode,
  ).toBe(422)
})

describe('a tile address', () => {
  it('a tile address without shapes has no content', async () => {
    const response = await getTile(getTileAddress(12, 2.35, 48.85))
    expect([response.statusCode, response.rawPayload.length]).toEqual([204, 0])
  })

  it.each([
    [{ z: 3, x: 8, y: 0 }, 404],
    [{ z: 3, x: 0, y: 8 }, 404],
    [{ z: 0, x: 1, y: 0 }, 404],
    [{ z: 23, x: 0, y: 0 }, 422],
    [{ z: 3, x: -1, y: 0 }, 422],
    [{ z: 1.5, x: 0, y: 0 }, 422],
    [{ z: Number.NaN, x: 0, y: 0 }, 422],
  ])('a tile address is rejected if it cannot exist: %o', async (at, status) => {
    // An impossible tile is not found or invalid.
    expect([404, status]).toContain(readProblem(await getTile(at)).status)
  })

  it('requires a sign-in and access to the region', async () => {
    const params = { shape_layer_uuid: layer.shape_layer_uuid, ...getTileAddress(11) }
    expect(
      readProblem(await send(app, null, getLayerTile, { params: { region_id: 'alder', ...params } })).status,
    ).toBe(401)
    expect(
      readProblem(await send(app, city.stranger, getLayerTile, { params: { region_id: 'alder', ...params } }))
        .status,
    ).toBe(404)
    expect(
      readProblem(await send(app, city.stranger, getLayerTile, { params: { region_id: 'cedar', ...params } }))
        .status,
    ).toBe(404)
    expect(
      readProblem(await send(app, city.viewer, getLayerTile, { params: { region_id: 'birch', ...params } }))
        .status,
    ).toBe(404)
  })
})

test('lines are encoded as lines', async () => {
  const roads = await addLayer(app, city.planner, { region_id: 'alder', layer_name: 'Lanes', shapes: lanes })
  expect(roads.geometry_type).toBe('line')
  const response = await getTile(getTileAddress(11), roads)
  const { shapes } = new VectorTile(new PbfReader(gunzipSync(response.rawPayload))).layers
  expect(Array.from({ length: shapes?.length ?? 0 }, (_, index) => shapes?.feature(index).type)).toEqual([
    2, 2,
  ])
})

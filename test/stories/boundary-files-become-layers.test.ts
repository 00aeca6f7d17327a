import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { queryTripsSpatial } from '#contract/evaluation.ts'
import { boundaryBytesLimit, createLayer, previewBoundaries, uploadShapes } from '#contract/boundary-files.ts'
import {
  changeLayer,
  createShape,
  deleteLayer,
  getLayer,
  getShapeHistory,
  changeShape,
  deleteShape,
  getShape,
  type Layer,
  listLayers,
  listShapes,
} from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { shapefileForTest } from '#server/geography/boundary-files/shapefile-for-test.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { addLayer, makeRegions, type TestCity } from '../city.ts'
import { type CityShape, districts, makeGeoJson } from '../city/shapes.ts'
import { positions } from '../positions.ts'

let app: TestApp
let city: TestCity
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
})
afterAll(() => app.close())

const inAlder = { region_id: 'alder' }
const previewFile = (file_name: string, body: Uint8Array) =>
  call(app, city.planner, previewBoundaries, { params: inAlder, query: { file_name }, body })
const getProblem = async (file_name: string, body: Uint8Array | string) =>
  readProblem(
    await send(app, city.planner, previewBoundaries, {
      params: inAlder,
      query: { file_name },
      body: Buffer.from(body),
    }),
  )
const readShapes = async (layer: Layer, query: { text?: string; page?: number; size?: number } = {}) =>
  call(app, city.viewer, listShapes, {
    params: { region_id: layer.region_id },
    query: { shape_layer_uuid: layer.shape_layer_uuid, ...query },
  })

const makeRing = (w: number, s: number, size = 0.01): [number, number][] => [
  [w, s],
  [w, s + size],
  [w + size, s + size],
  [w + size, s],
  [w, s],
]
const makeBox = (w: number, s: number, size = 0.01): Geometry => ({
  type: 'Polygon',
  coordinates: [makeRing(w, s, size).toReversed()],
})

const kml = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
<Placemark><name>Ash Ward</name><ExtendedData><Data name="code"><value>A1</value></Data></ExtendedData><Polygon><outerBoundaryIs><LinearRing><coordinates>-72.5,41.5 -72.49,41.5 -72.49,41.51 -72.5,41.51 -72.5,41.5</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
<Placemark><name>Oak Ward</name><Polygon><outerBoundaryIs><LinearRing><coordinates>-72.48,41.5 -72.47,41.5 -72.47,41.51 -72.48,41.51 -72.48,41.5</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
</Document></kml>`

const shapefile = shapefileForTest.zip({
  'wards/wards.shp': shapefileForTest.shp(5, [[makeRing(-72.5, 41.5)], [makeRing(-72.48, 41.5)]]),
  'wards/wards.dbf': shapefileForTest.dbf(
    [
      { name: 'WARD', type: 'C', length: 20 },
      { name: 'NUMBER', type: 'N', length: 4 },
    ],
    [
      ['Ash Ward', '1'],
      ['Oak Ward', '2'],
    ],
  ),
  'wards/wards.prj':
    'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.017453292519943295]]',
})

describe('a boundary file', () => {
  it.each([
    {
      file_name: 'wards.geojson',
      bytes: makeGeoJson([
        { name: 'Ash Ward', geometry: makeBox(-72.5, 41.5) },
        { name: 'Oak Ward', geometry: makeBox(-72.48, 41.5) },
      ]),
      format: /geojson/i,
      property: 'name',
    },
    { file_name: 'wards.kml', bytes: Buffer.from(kml), format: /kml/i, property: 'name' },
    { file_name: 'wards.zip', bytes: shapefile, format: /shapefile/i, property: 'WARD' },
    {
      file_name: 'wards.kmz',
      bytes: zipSync({ 'doc.kml': Buffer.from(kml) }),
      format: /km[lz]/i,
      property: 'name',
    },
  ])('$file_name is shown first and then made a layer of', async ({ file_name, bytes, format, property }) => {
    const before = (await call(app, city.viewer, listLayers, { params: inAlder })).items.length
    const shown = await previewFile(file_name, bytes)
    expect(shown).toMatchObject({
      file_name,
      format: expect.stringMatching(format),
      feature_count: 2,
      suggested_name: property,
      notes: [],
    })
    expect(shown.properties.find(({ name }) => name === property)).toMatchObject({
      filled: 2,
      distinct: 2,
      samples: ['Ash Ward', 'Oak Ward'],
    })
    expect(shown.bbox.map((degrees) => Math.round(degrees * 100) / 100)).toEqual([-72.5, 41.5, -72.47, 41.51])
    expect(shown.features).toHaveLength(2)
    expect((await call(app, city.viewer, listLayers, { params: inAlder })).items).toHaveLength(before)
    const { layer, notes } = await call(app, city.planner, createLayer, {
      params: inAlder,
      body: {
        layer_name: `Wards of ${file_name}`,
        upload_uuid: shown.upload_uuid,
        name_property: property,
        level: 'l1',
        buffers: [50, 10, 10],
      },
    })
    expect(notes).toEqual([])
    expect(layer).toMatchObject({
      layer_name: `Wards of ${file_name}`,
      level: 'l1',
      buffers: expect.arrayContaining([10, 50]),
      shape_count: 2,
      geometry_type: 'area',
      editable: true,
    })
    const { items, total } = await readShapes(layer)
    expect([total, items.map(({ shape_name }) => shape_name)]).toEqual([2, ['Ash Ward', 'Oak Ward']])
    expect(items[0]?.geom.type).toBe('Polygon')
  })

  it('is not required for a layer, which can be drawn into', async () => {
    const { layer, notes } = await call(app, city.planner, createLayer, {
      params: inAlder,
      body: { layer_name: 'No parking' },
    })
    expect([notes, layer.layer_name, layer.shape_count, layer.geometry_type, layer.bbox]).toEqual([
      [],
      'No parking',
      0,
      'none',
      null,
    ])
    const square: Geometry = {
      type: 'Polygon',
      coordinates: [positions('-72.5 41.5, -72.49 41.5, -72.49 41.51, -72.5 41.5')],
    }
    await call(app, city.planner, createShape, {
      params: inAlder,
      body: { shape_layer_uuid: layer.shape_layer_uuid, shape_name: 'Dockside', geom: square },
    })
    const drawn = await call(app, city.planner, getLayer, {
      params: { ...inAlder, shape_layer_uuid: layer.shape_layer_uuid },
    })
    expect([drawn.shape_count, drawn.geometry_type]).toEqual([1, 'area'])
  })

  it('is repaired if rings cross themselves, and the report says so', async () => {
    const bowTie: Geometry = {
      type: 'Polygon',
      coordinates: [positions('-72.5 41.5, -72.49 41.51, -72.49 41.5, -72.5 41.51, -72.5 41.5')],
    }
    const open: Geometry = {
      type: 'Polygon',
      coordinates: [positions('-72.4 41.5, -72.39 41.5, -72.39 41.51, -72.4 41.51')],
    }
    const flat: Geometry = {
      type: 'Polygon',
      coordinates: [positions('-72.3 41.5, -72.29 41.5, -72.3 41.5')],
    }
    const features: CityShape[] = [
      { name: 'Bow', geometry: bowTie },
      { name: 'Open', geometry: open },
      { name: 'Flat', geometry: flat },
      { name: 'Sound', geometry: makeBox(-72.2, 41.5) },
    ]
    const { layer, notes } = await call(app, city.planner, uploadShapes, {
      params: inAlder,
      query: { file_name: 'odd.geojson', name_property: 'name' },
      body: makeGeoJson(features),
    })
    expect((await readShapes(layer)).items.map(({ shape_name }) => shape_name)).toEqual([
      'Bow',
      'Open',
      'Sound',
    ])
    expect(notes.length).toBeGreaterThanOrEqual(2)
    expect(notes.map(({ position }) => position)).toEqual(expect.arrayContaining([1, 3]))
    for (const { text, code } of notes) expect([text.length > 10, code.length > 2]).toEqual([true, true])
    const bow = (await readShapes(layer, { text: 'bow' })).items[0]
    expect(bow?.geom.type).toBe('MultiPolygon')
    expect(layer.layer_name).toBe('odd')
  })

  it.each([
    ['nothing.geojson', '', /empty/i],
    ['text.geojson', 'not a map at all', /./],
    ['half.geojson', makeGeoJson(districts).subarray(0, 900), /./],
    ['list.geojson', '[1,2,3]', /./],
    ['none.geojson', '{"type":"FeatureCollection","features":[]}', /./],
    [
      'moon.geojson',
      '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[500000,4600000]}}]}',
      /./,
    ],
    ['empty.zip', zipSync({}), /./],
    ['photos.zip', zipSync({ 'a.jpg': Buffer.from([0xff, 0xd8, 0xff]) }), /./],
    [
      'entities.kml',
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><kml><Placemark><name>&b;</name></Placemark></kml>',
      /./,
    ],
    ['cut.zip', Buffer.from(shapefile).subarray(0, shapefile.length - 40), /./],
  ])('a boundary file that is none is refused in a sentence: %s', async (name, bytes, text) => {
    const { status, detail } = await getProblem(name, bytes)
    expect(status).toBe(422)
    expect(detail).toMatch(text)
    expect(detail).toMatch(/^[A-Z].{15,}[.?!]$/s)
    expect(detail).not.toMatch(/undefined|Error:|\[object|Unexpected token/)
  })

  const makeArea = (...[west, south, east, north]: [number, number, number, number]): Geometry => ({
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  })
  it.each([
    [
      'swapped axes',
      [makeArea(41.5, -72.5, 41.51, -72.49), makeArea(41.52, -72.5, 41.53, -72.49)],
      /2 of 2 .*feature 1 \(“Zone 1”\).*2 of them would be inside if/,
    ],
    [
      'most features elsewhere',
      [makeBox(-72.5, 41.5), makeBox(10, 50), makeBox(10.1, 50)],
      /^2 of 3 .*: feature 2 \(“Zone 2”\), feature 3 \(“Zone 3”\)\./,
    ],
    [
      'the whole world',
      [makeBox(-72.5, 41.5), makeArea(-180, -90, 180, 90)],
      /^Feature 2 \(“Zone 2”\) is 360° wide and 180° high/,
    ],
    [
      'a box across longitude 180',
      [makeBox(-72.5, 41.5), makeArea(-179, 41, 179, 42)],
      /^Feature 2 \(“Zone 2”\) is 358° wide.*must be cut there/,
    ],
  ])('a boundary file with %s becomes a layer only after a confirmation', async (name, geometries, text) => {
    const bytes = makeGeoJson(geometries.map((geometry, index) => ({ name: `Zone ${index + 1}`, geometry })))
    const before = (await call(app, city.viewer, listLayers, { params: inAlder })).items.length
    const shown = await previewFile('doubtful.geojson', bytes)
    expect(shown.question).toMatch(text)
    const body = { layer_name: name, upload_uuid: shown.upload_uuid, name_property: 'name' }
    const refusal = readProblem(await send(app, city.planner, createLayer, { params: inAlder, body }))
    expect(refusal).toMatchObject({
      status: 409,
      detail: expect.stringMatching(text),
      current: { places: { features: geometries.length } },
    })
    // The command `npm run import` sends the file in one call.
    const upload = (accept: object) =>
      send(app, city.planner, uploadShapes, {
        params: inAlder,
        query: { file_name: 'doubtful.geojson', ...accept },
        body: bytes,
      })
    expect(readProblem(await upload({}))).toMatchObject({ status: 409, detail: expect.stringMatching(text) })
    expect((await call(app, city.viewer, listLayers, { params: inAlder })).items).toHaveLength(before)
    const { layer } = await call(app, city.planner, createLayer, {
      params: inAlder,
      body: { ...body, accept_outside: true },
    })
    expect(layer.shape_count).toBe(geometries.length)
    expect((await upload({ accept_outside: 'true' })).statusCode).toBe(200)
  })

  it('omits features with invalid coordinates by position and name, and is rejected if none is left', async () => {
    const shift = (...at: [number, number]) => ({
      name: `At ${at.join(' ')}`,
      geometry: makeBox(...at),
    })
    const shown = await previewFile(
      'shifted.geojson',
      makeGeoJson([shift(-72.5, 41.5), shift(-72.5, 141.5), shift(-272.5, 41.5)]),
    )
    expect(shown).toMatchObject({ feature_count: 1, question: null })
    expect(shown.notes.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Feature 2 \(“At -72.5 141.5”\) has a latitude of 141.5/),
      expect.stringMatching(/^Feature 3 \(“At -272.5 41.5”\) has a longitude of -272.5/),
    ])
    const { status, detail } = await getProblem(
      'off.geojson',
      makeGeoJson([shift(41.5, -172.5), shift(41.5, 172.5)]),
    )
    expect([status, detail]).toEqual([
      422,
      expect.stringMatching(/Feature 1 \(“At 41.5 -172.5”\) has a latitude of -172.5.*swapped/),
    ])
  })

  it('is rejected above fifty megabytes', async () => {
    const { status, detail } = await getProblem(
      'large.geojson',
      Buffer.alloc(boundaryBytesLimit + 1024 * 1024, 32),
    )
    expect([status, detail]).toEqual([413, expect.stringContaining('50 MB')])
  })

  it('creates no layer from an expired preview or one of another region', async () => {
    const { upload_uuid } = await previewFile('wards.kml', Buffer.from(kml))
    const body = { layer_name: 'Stolen', upload_uuid, name_property: null }
    expect(
      readProblem(await send(app, city.planner, createLayer, { params: { region_id: 'birch' }, body }))
        .status,
    ).toBe(404)
    expect(
      readProblem(await send(app, city.stranger, createLayer, { params: { region_id: 'cedar' }, body }))
        .status,
    ).toBe(404)
    expect(
      readProblem(
        await send(app, city.planner, createLayer, {
          params: inAlder,
          body: { ...body, upload_uuid: crypto.randomUUID() },
        }),
      ).status,
    ).toBe(404)
  })
})

describe('a layer', () => {
  it('is renamed without a change of its ID, and is deleted with its shapes', async () => {
    const layer = await addLayer(app, city.planner, {
      region_id: 'birch',
      layer_name: 'Wärde & Co',
      shapes: districts.slice(0, 3),
    })
    expect(layer.layer_slug).toBe('warde-co')
    const params = { region_id: 'birch', shape_layer_uuid: layer.shape_layer_uuid }
    expect(
      await call(app, city.planner, changeLayer, {
        params,
        body: { layer_name: '  Wards ', level: null, buffers: [100, 5, 5] },
      }),
    ).toMatchObject({
      layer_name: 'Wards',
      layer_slug: 'warde-co',
      buffers: [5, 100],
      content_hash: layer.content_hash,
    })
    const [shape] = (await readShapes(layer)).items
    expect(
      (
        await addLayer(app, city.planner, {
          region_id: 'birch',
          layer_name: 'Wärde & Co',
          shapes: districts.slice(0, 1),
        })
      ).layer_slug,
    ).toBe('warde-co-2')
    expect(await call(app, city.planner, deleteLayer, { params })).toEqual({ deleted: 3 })
    expect(readProblem(await send(app, city.planner, getLayer, { params })).status).toBe(404)
    expect(
      readProblem(
        await send(app, city.planner, getShape, {
          params: { region_id: 'birch', shape_uuid: shape?.shape_uuid ?? '' },
        }),
      ).status,
    ).toBe(404)
    expect(
      readProblem(
        await send(app, city.viewer, queryTripsSpatial, {
          body: { ...params, start_date: '2026-01-01', end_date: '2026-01-31' },
        }),
      ).status,
    ).toBe(404)
  })

  it('is not found from another region', async () => {
    const layer = await addLayer(app, city.planner, {
      region_id: 'birch',
      layer_name: 'Birch only',
      shapes: districts.slice(0, 1),
    })
    const params = { region_id: 'alder', shape_layer_uuid: layer.shape_layer_uuid }
    const responses = [
      await send(app, city.planner, getLayer, { params }),
      await send(app, city.planner, changeLayer, { params, body: {} }),
      await send(app, city.planner, deleteLayer, { params }),
    ]
    expect(responses.map((response) => readProblem(response).status)).toEqual([404, 404, 404])
  })

  it('lists its shapes by name in pages, and finds them by part of a name', async () => {
    const layer = await addLayer(app, city.planner, {
      region_id: 'birch',
      layer_name: 'Many',
      shapes: Array.from({ length: 60 }, (_, index) => ({
        name: index === 59 ? '50%_off \\ here' : `Ward ${String(index).padStart(2, '0')}`,
        geometry: makeBox(-72.5 + index * 0.02, 41.5),
      })),
    })
    const first = await readShapes(layer)
    expect([first.items.length, first.total, first.size, first.items[0]?.shape_name]).toEqual([
      50,
      60,
      50,
      '50%_off \\ here',
    ])
    expect((await readShapes(layer, { page: 2 })).items.map(({ shape_name }) => shape_name)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Ward ${49 + index}`),
    )
    expect((await readShapes(layer, { text: 'WARD 1' })).total).toBe(10)
    for (const text of ['%', '_', '\\', '50%_off'])
      expect((await readShapes(layer, { text })).items.map(({ shape_name }) => shape_name)).toEqual([
        '50%_off \\ here',
      ])
  })

  it('indicates whether its shapes overlap', async () => {
    const apart = await addLayer(app, city.planner, {
      region_id: 'birch',
      layer_name: 'Apart',
      shapes: districts,
    })
    const overlapping = await addLayer(app, city.planner, {
      region_id: 'birch',
      layer_name: 'Over',
      shapes: [...districts.slice(0, 2), { name: 'Over all', geometry: makeBox(-72.6, 41.4, 0.3) }],
    })
    const listOverlaps = async ({ shape_layer_uuid }: Layer) =>
      (await call(app, city.viewer, getLayer, { params: { region_id: 'birch', shape_layer_uuid } })).overlaps
    await expect.poll(() => listOverlaps(overlapping), { timeout: 10_000 }).toBe(true)
    expect(await listOverlaps(apart)).toBe(false)
  })

  it('updates shapes of the same name, adds new ones and removes missing ones', async () => {
    const layer = await addLayer(app, city.planner, {
      region_id: 'birch',
      layer_name: 'Replaced',
      shapes: [
        { name: 'Stays', geometry: makeBox(-72.5, 41.5) },
        { name: 'Moves', geometry: makeBox(-72.4, 41.5) },
        { name: 'Goes', geometry: makeBox(-72.3, 41.5) },
      ],
    })
    const before = new Map((await readShapes(layer)).items.map((shape) => [shape.shape_name, shape]))
    const bytes = makeGeoJson([
      { name: 'Comes', geometry: makeBox(-72.2, 41.5) },
      { name: 'Moves', geometry: makeBox(-72.41, 41.5) },
      { name: 'Stays', geometry: makeBox(-72.5, 41.5) },
    ])
    const { layer: after } = await call(app, city.planner, uploadShapes, {
      params: { region_id: 'birch' },
      query: {
        file_name: 'update.geojson',
        shape_layer_uuid: layer.shape_layer_uuid,
        name_property: 'name',
        accept_outside: 'true',
      },
      body: bytes,
    })
    const now = new Map((await readShapes(after)).items.map((shape) => [shape.shape_name, shape]))
    expect([...now.keys()].toSorted()).toEqual(['Comes', 'Moves', 'Stays'])
    expect([now.get('Stays')?.shape_uuid, now.get('Moves')?.shape_uuid]).toEqual([
      before.get('Stays')?.shape_uuid,
      before.get('Moves')?.shape_uuid,
    ])
    expect(after).toMatchObject({
      shape_layer_uuid: layer.shape_layer_uuid,
      layer_name: 'Replaced',
      shape_count: 3,
    })
    expect(after.content_hash).not.toBe(layer.content_hash)
    const readHistory = (name: string) =>
      call(app, city.viewer, getShapeHistory, {
        params: { region_id: 'birch', shape_uuid: now.get(name)?.shape_uuid ?? '' },
      })
    expect([(await readHistory('Moves')).items.length, (await readHistory('Stays')).items.length]).toEqual([
      2, 1,
    ])
  })
})

test('a shape is added, renamed, changed and deleted, and its history remains', async () => {
  const layer = await addLayer(app, city.planner, {
    region_id: 'alder',
    layer_name: 'Drawn',
    shapes: [{ name: 'First', geometry: makeBox(-72.5, 41.5) }],
  })
  const made = await call(app, city.planner, createShape, {
    params: inAlder,
    body: { shape_layer_uuid: layer.shape_layer_uuid, shape_name: 'Second', geom: makeBox(-72.4, 41.5) },
  })
  const params = { ...inAlder, shape_uuid: made.shape_uuid }
  await call(app, city.planner, changeShape, {
    params,
    body: { shape_name: 'Second, renamed', shape_description: 'By the river' },
  })
  const changed = await call(app, city.planner, changeShape, {
    params,
    body: { geom: makeBox(-72.39, 41.5, 0.02) },
  })
  expect(changed).toMatchObject({
    shape_uuid: made.shape_uuid,
    shape_name: 'Second, renamed',
    shape_description: 'By the river',
  })
  const { items } = await call(app, city.viewer, getShapeHistory, { params })
  expect(items.map(({ geom }) => geom)).toEqual([changed.geom, made.geom, made.geom])
  expect(items.map(({ valid_until }) => valid_until)).toEqual([
    null,
    items[0]?.valid_from,
    items[1]?.valid_from,
  ])
  expect(items.every(({ changed_by }) => changed_by !== null)).toBe(true)
  const wrong = [
    { type: 'Polygon', coordinates: [[[0, 0]]] },
    { type: 'Polygon', coordinates: [] },
    { type: 'Polygon', coordinates: 'x' },
    { type: 'Circle', coordinates: [] },
    { type: 'Polygon', coordinates: [positions('200 41, 201 41, 201 42, 200 41')] },
    {
      type: 'Polygon',
      coordinates: [
        [
          [null, 1],
          [2, 3],
          [4, 5],
          [null, 1],
        ],
      ],
    },
    {
      type: 'Polygon',
      coordinates: [
        [
          ['-72.5', '41.5'],
          ['-72.4', '41.5'],
          ['-72.4', '41.6'],
          ['-72.5', '41.5'],
        ],
      ],
    },
    { type: 'LineString', coordinates: [[-72.5, 41.5]] },
    { type: 'Point', coordinates: [] },
    { type: 'Point', coordinates: [-72.5] },
  ] as unknown as Geometry[]
  const responses: string[] = []
  for (const geom of wrong)
    responses.push(
      `${(await send(app, city.planner, changeShape, { params, body: { geom } })).statusCode} ${JSON.stringify(geom)}`,
    )
  expect(responses).toEqual(wrong.map((geom) => `422 ${JSON.stringify(geom)}`))
  expect((await call(app, city.viewer, getShape, { params })).geom).toEqual(changed.geom)
  expect(await call(app, city.planner, deleteShape, { params })).toEqual({ deleted: 1 })
  expect((await call(app, city.viewer, getShapeHistory, { params })).items.map(({ act }) => act)).toEqual([
    'deleted',
    'changed',
    'changed',
    'created',
  ])
  expect(
    (
      await call(app, city.viewer, getLayer, {
        params: { ...inAlder, shape_layer_uuid: layer.shape_layer_uuid },
      })
    ).shape_count,
  ).toBe(1)
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uploadShapes } from '#contract/boundary-files.ts'
import {
  changeLayer,
  deleteLayer,
  deleteShape,
  getLayer,
  type Layer,
  type Shape,
} from '#contract/geography.ts'
import { changeShapes } from '#contract/geography-history.ts'
import {
  exportLayer,
  getLayerCubes,
  getShapeCalendar,
  layerHasPolicies,
  listLayerCubes,
  listLayerDependents,
  listPotentialRules,
  listShapeDependents,
  listShapePolicies,
  listShapeRows,
  shapeHasCurbPolicies,
  shapeHasPolicies,
} from '#contract/geography-use.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { DependentPolicy } from '#server/geography/dependents/dependents.ts'
import { geopackageForTest } from '#server/geography/boundary-files/geopackage-for-test.ts'
import { insertFeed } from '../store-region.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { addLayer, makeRegions, type TestCity, readShapes } from '../city.ts'
import { districts } from '../city/shapes.ts'

let app: TestApp
let city: TestCity
let layer: Layer
let shapes: Shape[]
const inAlder = { region_id: 'alder' }
const inLayer = () => ({ ...inAlder, shape_layer_uuid: layer.shape_layer_uuid })
const shapeParams = (shape: Shape | undefined) => ({ ...inAlder, shape_uuid: shape?.shape_uuid ?? '' })
const policies: (DependentPolicy & { shapeId: string })[] = []

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  layer = await addLayer(app, city.planner, {
    region_id: 'alder',
    layer_name: 'Districts',
    shapes: districts,
  })
  shapes = await readShapes(app, city.viewer, layer)
  // Adds policies as the policies room does.
  app.dependents.addPolicies((_scope, ofLayer, shapeIds) =>
    Promise.resolve(
      ofLayer.shape_layer_uuid === layer.shape_layer_uuid
        ? policies
            .filter(({ shapeId }) => !shapeIds || shapeIds.includes(shapeId))
            .map(({ shapeId: _shapeId, ...policy }) => policy)
        : [],
    ),
  )
})
afterAll(() => app.close())

describe('dependents of a layer', () => {
  it('are none at first, and no policy uses the layer', async () => {
    const [shape] = shapes
    expect(await call(app, city.viewer, listLayerDependents, { params: inLayer() })).toEqual({
      dependents: [],
    })
    expect(await call(app, city.viewer, listShapeDependents, { params: shapeParams(shape) })).toEqual({
      dependents: [],
    })
    for (const endpoint of [shapeHasPolicies, shapeHasCurbPolicies])
      expect(await call(app, city.viewer, endpoint, { params: shapeParams(shape) })).toEqual({
        has_policies: false,
      })
    expect(await call(app, city.viewer, layerHasPolicies, { params: inLayer() })).toEqual({
      has_policies: false,
    })
    for (const endpoint of [listShapePolicies, getShapeCalendar, listPotentialRules])
      expect(await call(app, city.viewer, endpoint, { params: shapeParams(shape) })).toEqual({ items: [] })
    expect(
      readProblem(await send(app, city.stranger, listLayerDependents, { params: inLayer() })).status,
    ).toBe(404)
    expect(
      readProblem(await send(app, city.stranger, listShapePolicies, { params: shapeParams(shape) })).status,
    ).toBe(404)
  })

  it('include policies, each by its shape, product and state', async () => {
    const [first, second] = shapes
    const policy = { policy_type: 'no_parking', start_date: null, end_date: null }
    policies.push(
      {
        ...policy,
        policy_uuid: 'b',
        policy_name: 'Later',
        start_date: '2026-05-01',
        product: 'mobility',
        isPublished: true,
        shapeId: first?.shape_uuid ?? '',
      },
      {
        ...policy,
        policy_uuid: 'a',
        policy_name: 'Sooner',
        start_date: '2026-01-01',
        product: 'curb',
        isPublished: true,
        shapeId: first?.shape_uuid ?? '',
      },
      {
        ...policy,
        policy_uuid: 'c',
        policy_name: 'Draft',
        product: 'curb',
        isPublished: false,
        shapeId: second?.shape_uuid ?? '',
      },
    )
    expect((await call(app, city.viewer, listLayerDependents, { params: inLayer() })).dependents).toEqual([
      { kind: 'policy', id: 'c', name: 'Draft', count: null },
      { kind: 'policy', id: 'a', name: 'Sooner', count: null },
      { kind: 'policy', id: 'b', name: 'Later', count: null },
    ])
    const readUses = async (shape: Shape | undefined) => [
      (await call(app, city.viewer, shapeHasPolicies, { params: shapeParams(shape) })).has_policies,
      (await call(app, city.viewer, shapeHasCurbPolicies, { params: shapeParams(shape) })).has_policies,
      ...(await Promise.all(
        [listShapePolicies, getShapeCalendar, listPotentialRules].map(async (endpoint) =>
          (await call(app, city.viewer, endpoint, { params: shapeParams(shape) })).items
            .map(({ policy_name }) => policy_name)
            .join(' '),
        ),
      )),
    ]
    expect(await readUses(first)).toEqual([true, true, 'Sooner Later', 'Sooner Later', ''])
    expect(await readUses(second)).toEqual([false, true, 'Draft', '', 'Draft'])
    expect(await readUses(shapes[2])).toEqual([false, false, '', '', ''])
  })

  it('block a deletion until it is confirmed', async () => {
    const [first, second, third] = shapes
    const refusal = readProblem(
      await send(app, city.planner, deleteShape, { params: shapeParams(first), query: {} }),
    )
    expect(refusal).toMatchObject({
      status: 409,
      detail: expect.stringContaining('Sooner, Later'),
      current: { dependents: [{ id: 'a' }, { id: 'b' }] },
    })
    const deleted = [second, third].map((shape) => ({
      shape_uuid: shape?.shape_uuid ?? '',
      if_modified_time: shape?.modified_time ?? '',
    }))
    expect(
      readProblem(await send(app, city.planner, changeShapes, { params: inLayer(), body: { deleted } }))
        .current,
    ).toEqual({ dependents: [{ kind: 'policy', id: 'c', name: 'Draft', count: null }] })
    expect(
      readProblem(await send(app, city.planner, deleteLayer, { params: inLayer(), query: {} })).status,
    ).toBe(409)
    expect((await call(app, city.viewer, getLayer, { params: inLayer() })).shape_count).toBe(shapes.length)
    expect(await call(app, city.planner, deleteShape, { params: shapeParams(third), query: {} })).toEqual({
      deleted: 1,
    })
    expect(
      (
        await call(app, city.planner, changeShapes, {
          params: inLayer(),
          body: { deleted: deleted.slice(0, 1), confirm: true },
        })
      ).deleted,
    ).toEqual([second?.shape_uuid])
    expect(
      await call(app, city.planner, deleteShape, { params: shapeParams(first), query: { confirm: 'true' } }),
    ).toEqual({ deleted: 1 })
    policies.length = 0
  })

  it('exclude its hourly sums; their progress can be read', async () => {
    expect(await call(app, city.viewer, getLayerCubes, { params: inLayer() })).toMatchObject({
      status: 'waiting',
      done_hours: 0,
    })
    const { content_hash } = await call(app, city.viewer, getLayer, { params: inLayer() })
    const row = {
      layer_id: layer.shape_layer_uuid,
      region_id: 'alder',
      content_hash,
      basis: 'b',
      keys: '[]',
      missing: '[]',
      done_hours: 30,
      total_hours: 120,
      status: 'running',
      changed_time: new Date('2026-05-01T12:00:00Z'),
    }
    await app.state.as(systemScope).insertInto('cube_layer').values(row).execute()
    const cubes = {
      shape_layer_uuid: layer.shape_layer_uuid,
      status: 'running',
      problem: null,
      done_hours: 30,
      total_hours: 120,
      changed_time: '2026-05-01T12:00:00.000Z',
    }
    expect(await call(app, city.viewer, getLayerCubes, { params: inLayer() })).toEqual(cubes)
    expect((await call(app, city.viewer, listLayerCubes, { params: inAlder })).items).toEqual([cubes])
    const readCounts = async () =>
      (await call(app, city.viewer, getLayer, { params: inLayer() })).vehicle_counts_status
    expect(await readCounts()).toBe('off')
    await call(app, city.planner, changeLayer, { params: inLayer(), body: { vehicle_counts: true } })
    expect(await readCounts()).toBe('processing')
    await app.state.as(systemScope).updateTable('cube_layer').set({ status: 'ready' }).execute()
    expect(await readCounts()).toBe('ready')
    // Sums are computed again when needed, so a deletion loses nothing.
    expect((await call(app, city.viewer, listLayerDependents, { params: inLayer() })).dependents).toEqual([])
    expect(readProblem(await send(app, city.stranger, getLayerCubes, { params: inLayer() })).status).toBe(404)
    await call(app, city.planner, changeLayer, { params: inLayer(), body: { level: 'basemap:park' } })
    expect(await call(app, city.viewer, getLayerCubes, { params: inLayer() })).toMatchObject({
      status: 'none',
    })
    await app.state.as(systemScope).deleteFrom('cube_layer').execute()
  })

  it('include trips that are matched to its streets, for the first streets layer', async () => {
    const readStreets = async (streetsLayer: Layer) =>
      (
        await call(app, city.viewer, listLayerDependents, {
          params: { ...inAlder, shape_layer_uuid: streetsLayer.shape_layer_uuid },
        })
      ).dependents.map(({ kind }) => kind)
    const second = await addLayer(app, city.planner, {
      region_id: 'alder',
      layer_name: 'Streets',
      shapes: districts.slice(0, 1),
    })
    for (const streetsLayer of [layer, second])
      await call(app, city.planner, changeLayer, {
        params: { ...inAlder, shape_layer_uuid: streetsLayer.shape_layer_uuid },
        body: { level: 'basemap:street' },
      })
    expect([await readStreets(layer), await readStreets(second)]).toEqual([['streets'], []])
    expect(
      await call(app, city.planner, deleteLayer, {
        params: { ...inAlder, shape_layer_uuid: second.shape_layer_uuid },
        query: {},
      }),
    ).toEqual({ deleted: 1 })
  })

  it('include feeds that create it, which alone can unlock it', async () => {
    await insertFeed(app.state, {
      region_id: 'alder',
      operator: null,
      kind: 'gbfs',
      name: 'Swift GBFS',
      settings: JSON.stringify({ zonesLayer: layer.shape_layer_uuid }),
    })
    await call(app, city.planner, changeLayer, { params: inLayer(), body: { level: null, editable: false } })
    expect(
      (await call(app, city.viewer, listLayerDependents, { params: inLayer() })).dependents,
    ).toMatchObject([{ kind: 'feed', name: 'Swift GBFS' }])
    expect(
      readProblem(await send(app, city.planner, changeLayer, { params: inLayer(), body: { editable: true } }))
        .detail,
    ).toContain('“Swift GBFS” maintains')
    await app.state.as(systemScope).deleteFrom('feed').execute()
    expect(
      (await call(app, city.planner, changeLayer, { params: inLayer(), body: { editable: true } })).editable,
    ).toBe(true)
  })
})

describe('a table of shapes', () => {
  it('is searched and sorted by the store, without geometries', async () => {
    const rows = (query: {
      text?: string
      order_by?: 'shape_name' | '-shape_name' | '-modified_time'
      page?: number
      size?: number
    }) => call(app, city.viewer, listShapeRows, { params: inLayer(), query })
    const all = await rows({})
    const names = all.items.map(({ shape_name }) => shape_name)
    expect([all.total, names]).toEqual([shapes.length - 3, names.toSorted()])
    expect(all.items[0]).toMatchObject({
      geometry_type: expect.stringMatching(/Polygon$/),
      bbox: [expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)],
      modified_by: 'planner',
    })
    expect((await rows({ order_by: '-shape_name' })).items.map(({ shape_name }) => shape_name)).toEqual(
      names.toReversed(),
    )
    expect((await rows({ size: 2, page: 2 })).items).toEqual(all.items.slice(2, 4))
    const [first] = all.items
    await call(app, city.admin, changeShapes, {
      params: inLayer(),
      body: {
        changed: [
          {
            shape_uuid: first?.shape_uuid ?? '',
            if_modified_time: first?.modified_time ?? '',
            shape_description: 'By the 100% river',
          },
        ],
      },
    })
    expect((await rows({ order_by: '-modified_time' })).items[0]).toMatchObject({
      shape_uuid: first?.shape_uuid,
      modified_by: 'admin',
    })
    expect((await rows({ text: '100% RIV' })).items.map(({ shape_uuid }) => shape_uuid)).toEqual([
      first?.shape_uuid,
    ])
    expect((await rows({ text: '100_' })).total).toBe(0)
    expect(readProblem(await send(app, city.stranger, listShapeRows, { params: inLayer() })).status).toBe(404)
  })
})

describe('a layer as a file', () => {
  it.each(['geojson', 'kml', 'shapefile'] as const)(
    'a layer as a file of %s can be imported as the same layer',
    async (format) => {
      const response = await send(app, city.viewer, exportLayer, { params: inLayer(), query: { format } })
      const name =
        /filename="(districts\.\w+)"/.exec(String(response.headers['content-disposition']))?.[1] ?? ''
      const { layer: again, notes } = await call(app, city.planner, uploadShapes, {
        params: { region_id: 'birch' },
        query: { file_name: name, name_property: 'name', accept_outside: 'true' },
        body: new Uint8Array(response.rawPayload),
      })
      expect(notes).toEqual([])
      const download = async (params: { region_id: string; shape_layer_uuid: string }) =>
        (await readShapes(app, city.admin, params)).map(({ shape_name, geom }) => [
          shape_name,
          geom.type,
          new Set(geom.coordinates.flat(2).map(String)),
        ])
      expect(await download({ region_id: 'birch', shape_layer_uuid: again.shape_layer_uuid })).toEqual(
        await download(inLayer()),
      )
    },
  )

  it('has a CSV line per shape, and requires access', async () => {
    const lines = Buffer.from(
      await call(app, city.viewer, exportLayer, { params: inLayer(), query: { format: 'csv' } }),
    )
      .toString()
      .trim()
      .split('\r\n')
    expect([lines.length, lines.every((line) => /,wkt$|,"(MULTI)?POLYGON \(/.test(line))]).toEqual([
      shapes.length - 2,
      true,
    ])
    expect(
      readProblem(
        await send(app, city.stranger, exportLayer, { params: inLayer(), query: { format: 'csv' } }),
      ).status,
    ).toBe(404)
    expect(
      readProblem(
        await send(app, city.viewer, exportLayer, { params: inLayer(), query: { format: 'dwg' as 'csv' } }),
      ).status,
    ).toBe(422)
  })
})

describe('a file of another program', () => {
  it('may be a GeoPackage', async () => {
    const { layer: made, notes } = await call(app, city.planner, uploadShapes, {
      params: { region_id: 'birch' },
      query: { file_name: 'teile.gpkg', name_property: 'name', accept_outside: 'true' },
      body: geopackageForTest(),
    })
    expect(made).toMatchObject({ layer_name: 'teile', shape_count: 34, geometry_type: 'mixed' })
    expect(notes.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['no-geometry', 'reprojected', 'several-files']),
    )
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { uploadShapes } from '#contract/boundary-files.ts'
import {
  changeLayer,
  changeShape,
  createShape,
  deleteLayer,
  deleteShape,
  getLayer,
  getShape,
  getShapeHistory,
  type Layer,
  listShapes,
  type Shape,
} from '#contract/geography.ts'
import {
  changeShapes,
  listLayerHistory,
  restoreShape,
  type ShapeChanges,
  ShapeConflicts,
} from '#contract/geography-history.ts'
import type { Geometry } from '#contract/place.ts'
import { listAudit } from '#contract/users.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { addLayer, makeRegions, type TestCity, readShapes } from '../city.ts'
import { makeGeoJson } from '../city/shapes.ts'
import { positions } from '../positions.ts'

let app: TestApp
let city: TestCity
let layer: Layer
let shapes: Map<string, Shape>
const inAlder = { region_id: 'alder' }

const makeBox = (w: number, s: number, size = 0.01): Geometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [w, s],
      [w + size, s],
      [w + size, s + size],
      [w, s + size],
      [w, s],
    ],
  ],
})
const bowTie: Geometry = {
  type: 'Polygon',
  coordinates: [positions('-72.5 41.5, -72.49 41.51, -72.49 41.5, -72.5 41.51, -72.5 41.5')],
}
const lineAsPolygon = { type: 'Polygon', coordinates: [positions('0 0, 1 1')] } as unknown as Geometry

const names = ['Ash', 'Beech', 'Cedar', 'Dogwood', 'Elm', 'Fir']
const findShape = (name: string): Shape => {
  const shape = shapes.get(name)
  if (!shape) throw new Error(name)
  return shape
}
const shapeParams = (name: string) => ({ ...inAlder, shape_uuid: findShape(name).shape_uuid })
const getVersion = (name: string) => ({
  shape_uuid: findShape(name).shape_uuid,
  if_modified_time: findShape(name).modified_time,
})
const inLayer = () => ({ ...inAlder, shape_layer_uuid: layer.shape_layer_uuid })
const saveBatch = (body: z.input<typeof ShapeChanges>) =>
  send(app, city.planner, changeShapes, { params: inLayer(), body })

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
})
afterAll(() => app.close())

/** Creates a layer of six shapes in a row. */
async function makeLayer(name: string): Promise<void> {
  layer = await addLayer(app, city.planner, {
    region_id: 'alder',
    layer_name: name,
    shapes: names.map((name, n) => ({ name: name, geometry: makeBox(-72.5 + n * 0.02, 41.5) })),
  })
  shapes = new Map((await readShapes(app, city.viewer, layer)).map((shape) => [shape.shape_name, shape]))
}

describe('concurrent edits of a shape', () => {
  beforeAll(() => makeLayer('Two editors'))

  it('return the stored version and its author to the second editor, who then chooses', async () => {
    const first = await call(app, city.admin, changeShape, {
      params: shapeParams('Ash'),
      body: { shape_name: 'Ash Park', if_modified_time: findShape('Ash').modified_time },
    })
    expect(first.modified_by).toBe('admin')
    const mine = {
      shape_name: 'Ash Grove',
      geom: makeBox(-72.6, 41.5),
      if_modified_time: findShape('Ash').modified_time,
    }
    const refusal = readProblem(
      await send(app, city.planner, changeShape, { params: shapeParams('Ash'), body: mine }),
    )
    expect(refusal).toMatchObject({ status: 409, code: 'conflict', current: first })
    expect(refusal.detail).toContain('“Ash Park” was changed by admin')
    expect(await call(app, city.viewer, getShape, { params: shapeParams('Ash') })).toEqual(first)
    const chosen = await call(app, city.planner, changeShape, {
      params: shapeParams('Ash'),
      body: { ...mine, if_modified_time: first.modified_time },
    })
    expect(chosen).toMatchObject({ shape_name: 'Ash Grove', modified_by: 'planner' })
    expect(Date.parse(chosen.modified_time)).toBeGreaterThan(Date.parse(first.modified_time))
  })

  it('have one winner at the same time, and return its version to the others', async () => {
    const { if_modified_time } = getVersion('Beech')
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        send(app, n % 2 ? city.planner : city.admin, changeShape, {
          params: shapeParams('Beech'),
          body: { shape_name: `Beech ${n}`, if_modified_time },
        }),
      ),
    )
    const won = responses.filter(({ statusCode }) => statusCode === 200)
    const lost = responses.filter((response) => !won.includes(response)).map(readProblem)
    const winner = won[0]?.json<Shape>()
    expect([won.length, lost.length]).toEqual([1, 11])
    for (const refusal of lost) expect(refusal).toMatchObject({ status: 409, current: winner })
    expect(await call(app, city.viewer, getShape, { params: shapeParams('Beech') })).toEqual(winner)
    expect(
      (await call(app, city.viewer, getShapeHistory, { params: shapeParams('Beech') })).items,
    ).toHaveLength(2)
  })

  it('concurrent edits of neighboring shapes are both stored, and the content hash of the layer changes with both', async () => {
    const edit = (name: string, n: number) =>
      call(app, n % 2 ? city.planner : city.admin, changeShape, {
        params: shapeParams(name),
        body: {
          shape_description: `By ${n}`,
          geom: makeBox(-72.5 + n, 41.6),
          if_modified_time: findShape(name).modified_time,
        },
      })
    await Promise.all([edit('Cedar', 1), edit('Dogwood', 2), edit('Elm', 3), edit('Fir', 4)])
    const found = await call(app, city.viewer, getLayer, { params: inLayer() })
    expect([found.shape_count, found.bbox?.map((degrees) => Math.round(degrees * 100) / 100)]).toEqual([
      6,
      [-72.6, 41.5, -68.49, 41.61],
    ])
    // Renaming a shape and back restores the hash, because it depends on content and ids only.
    const { modified_time } = await call(app, city.admin, changeShape, {
      params: shapeParams('Fir'),
      body: { shape_name: 'Pine' },
    })
    expect((await call(app, city.viewer, getLayer, { params: inLayer() })).content_hash).not.toBe(
      found.content_hash,
    )
    await call(app, city.admin, changeShape, {
      params: shapeParams('Fir'),
      body: { shape_name: 'Fir', if_modified_time: modified_time },
    })
    expect((await call(app, city.viewer, getLayer, { params: inLayer() })).content_hash).toBe(
      found.content_hash,
    )
  })

  it('conflict with a deletion in the meantime', async () => {
    expect(await call(app, city.admin, deleteShape, { params: shapeParams('Elm'), query: {} })).toEqual({
      deleted: 1,
    })
    for (const response of [
      await send(app, city.planner, changeShape, {
        params: shapeParams('Elm'),
        body: { shape_name: 'x', if_modified_time: findShape('Elm').modified_time },
      }),
      await send(app, city.planner, deleteShape, {
        params: shapeParams('Elm'),
        query: { if_modified_time: findShape('Elm').modified_time },
      }),
    ])
      expect(readProblem(response)).toMatchObject({ status: 409, current: null })
    expect(
      readProblem(
        await send(app, city.planner, changeShape, { params: shapeParams('Elm'), body: { shape_name: 'x' } }),
      ).status,
    ).toBe(404)
    const version = { if_modified_time: findShape('Dogwood').modified_time }
    expect(
      readProblem(
        await send(app, city.planner, deleteShape, { params: shapeParams('Dogwood'), query: version }),
      ),
    ).toMatchObject({ status: 409, current: { shape_description: 'By 2' } })
  })

  it('are detected for settings of a layer too', async () => {
    const stored = await call(app, city.viewer, getLayer, { params: inLayer() })
    const first = await call(app, city.admin, changeLayer, {
      params: inLayer(),
      body: {
        buffers: [5],
        intersect_route: true,
        hourly_processing: ['trips', 'trips'],
        parking_duration_filters: [60, 30, 60],
        vehicle_counts: true,
        if_modified_time: stored.modified_time,
      },
    })
    expect(first).toMatchObject({
      buffers: [5],
      intersect_route: true,
      hourly_processing: ['trips'],
      parking_duration_filters: [30, 60],
      vehicle_counts: true,
      modified_by: 'admin',
      content_hash: stored.content_hash,
    })
    expect(
      readProblem(
        await send(app, city.planner, changeLayer, {
          params: inLayer(),
          body: { level: 'l1', if_modified_time: stored.modified_time },
        }),
      ),
    ).toMatchObject({ status: 409, current: first })
    expect(
      readProblem(
        await send(app, city.planner, deleteLayer, {
          params: inLayer(),
          query: { if_modified_time: stored.modified_time },
        }),
      ),
    ).toMatchObject({ status: 409, current: first })
    for (const body of [
      { hourly_processing: ['boats'] },
      { parking_duration_filters: [0] },
      { buffers: [-1] },
      { if_modified_time: 'yesterday' },
    ])
      expect(
        readProblem(await send(app, city.planner, changeLayer, { params: inLayer(), body: body as never }))
          .status,
      ).toBe(422)
  })
})

describe('a batch of edits', () => {
  beforeAll(() => makeLayer('Batches'))

  it('splits and merges together, and reports repairs', async () => {
    const response = await saveBatch({
      created: [{ shape_name: 'Bow', geom: bowTie }],
      changed: [{ ...getVersion('Ash'), shape_description: 'Both', geom: makeBox(-72.5, 41.5, 0.03) }],
      deleted: [getVersion('Beech')],
    })
    const { layer: after, created, changed, deleted, notes } = changeShapes.response.parse(response.json())
    expect([after.shape_count, created[0]?.shape_name, changed[0]?.shape_description, deleted]).toEqual([
      6,
      'Bow',
      'Both',
      [findShape('Beech').shape_uuid],
    ])
    expect(notes).toEqual([
      expect.objectContaining({ list: 'created', position: 0, code: 'borders-crossed' }),
    ])
    expect((await readShapes(app, city.viewer, layer)).map(({ shape_name }) => shape_name)).toEqual([
      'Ash',
      'Bow',
      'Cedar',
      'Dogwood',
      'Elm',
      'Fir',
    ])
  })

  it('reports every conflict by position and saves nothing', async () => {
    const before = await readShapes(app, city.viewer, layer)
    await call(app, city.admin, changeShape, { params: shapeParams('Cedar'), body: { shape_name: 'Cedars' } })
    const refusal = readProblem(
      await saveBatch({
        created: [{ shape_name: 'New', geom: makeBox(-72, 41) }],
        changed: [
          { ...getVersion('Dogwood'), shape_name: 'Mine' },
          { ...getVersion('Cedar'), shape_name: 'Mine' },
        ],
        deleted: [getVersion('Beech')],
      }),
    )
    expect([refusal.status, refusal.issues?.map(({ path }) => path)]).toEqual([
      409,
      ['body.changed.1', 'body.deleted.0'],
    ])
    expect(ShapeConflicts.parse(refusal.current).conflicts).toMatchObject([
      { list: 'changed', position: 1, current: { shape_name: 'Cedars' } },
      { list: 'deleted', position: 0, current: null },
    ])
    expect(
      (await readShapes(app, city.viewer, layer)).filter(({ shape_name }) => shape_name !== 'Cedars'),
    ).toEqual(before.filter(({ shape_name }) => shape_name !== 'Cedar'))
  })

  it('reports every invalid geometry', async () => {
    const refusal = readProblem(
      await saveBatch({
        created: [
          { shape_name: 'Good', geom: makeBox(-72, 41) },
          { shape_name: 'Bad', geom: lineAsPolygon },
        ],
        changed: [{ ...getVersion('Elm'), geom: { type: 'Point', coordinates: [200, 0] } }],
      }),
    )
    expect([refusal.status, refusal.issues?.map(({ path }) => path)]).toEqual([
      422,
      ['body.created.1.geom', 'body.changed.0.geom'],
    ])
    expect((await readShapes(app, city.viewer, layer)).some(({ shape_name }) => shape_name === 'Good')).toBe(
      false,
    )
  })

  it('saves each version of a shape once, whatever the number of editors', async () => {
    const version = getVersion('Fir')
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        saveBatch({
          changed: [{ ...version, shape_name: `Fir ${n}` }],
          created: [{ shape_name: `Only ${n}`, geom: makeBox(-71, 41) }],
        }),
      ),
    )
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect(
      (await readShapes(app, city.viewer, layer)).filter(({ shape_name }) => shape_name.startsWith('Only')),
    ).toHaveLength(1)
  })

  it('rejects shapes of another layer, duplicates, and users without the permission', async () => {
    const other = await addLayer(app, city.planner, {
      region_id: 'alder',
      layer_name: 'Other',
      shapes: [{ name: 'Theirs', geometry: makeBox(-72, 41) }],
    })
    const {
      items: [theirs],
    } = await call(app, city.viewer, listShapes, {
      params: inAlder,
      query: { shape_layer_uuid: other.shape_layer_uuid },
    })
    const body = {
      deleted: [{ shape_uuid: theirs?.shape_uuid ?? '', if_modified_time: theirs?.modified_time ?? '' }],
    }
    expect(readProblem(await saveBatch(body)).status).toBe(409)
    expect(
      readProblem(
        await saveBatch({
          changed: [{ ...getVersion('Elm'), shape_name: 'a' }],
          deleted: [getVersion('Elm')],
        }),
      ).status,
    ).toBe(422)
    expect(
      readProblem(await send(app, city.viewer, changeShapes, { params: inLayer(), body: {} })).status,
    ).toBe(403)
    expect(
      readProblem(await send(app, city.stranger, changeShapes, { params: inLayer(), body: {} })).status,
    ).toBe(404)
    expect(
      (
        await call(app, city.viewer, getLayer, {
          params: { ...inAlder, shape_layer_uuid: other.shape_layer_uuid },
        })
      ).shape_count,
    ).toBe(1)
  })
})

describe('the shape history', () => {
  beforeAll(() => makeLayer('Histories'))
  const listVersions = async (name: string) =>
    (await call(app, city.viewer, getShapeHistory, { params: shapeParams(name) })).items
  const restore = (name: string, version: number, if_modified_time?: string) =>
    send(app, city.planner, restoreShape, { params: shapeParams(name), body: { version, if_modified_time } })

  it('has name, description, outline, author and time; an empty change creates no version', async () => {
    await call(app, city.admin, changeShape, {
      params: shapeParams('Ash'),
      body: { shape_name: 'Ash Park', shape_description: 'Green' },
    })
    await call(app, city.planner, changeShape, {
      params: shapeParams('Ash'),
      body: { geom: makeBox(-72.7, 41.5) },
    })
    await call(app, city.planner, changeShape, {
      params: shapeParams('Ash'),
      body: { shape_name: 'Ash Park', geom: makeBox(-72.7, 41.5) },
    })
    const found = await listVersions('Ash')
    expect(
      found.map(({ version, act, changes, shape_name, shape_description, changed_by }) => [
        version,
        act,
        changes,
        shape_name,
        shape_description,
        changed_by,
      ]),
    ).toEqual([
      [3, 'changed', ['geometry'], 'Ash Park', 'Green', 'planner'],
      [2, 'changed', ['name', 'description'], 'Ash Park', 'Green', 'admin'],
      [1, 'created', ['name', 'geometry'], 'Ash', null, 'planner'],
    ])
    expect(found.map(({ geom }) => geom)).toEqual([
      makeBox(-72.7, 41.5),
      findShape('Ash').geom,
      findShape('Ash').geom,
    ])
    expect(found.map(({ valid_until }) => valid_until)).toEqual([
      null,
      found[0]?.valid_from,
      found[1]?.valid_from,
    ])
  })

  it('restores any version as a new version', async () => {
    const before = await call(app, city.viewer, getShape, { params: shapeParams('Ash') })
    const { modified_time } = findShape('Ash')
    expect(readProblem(await restore('Ash', 1, modified_time))).toMatchObject({
      status: 409,
      current: before,
    })
    expect(readProblem(await restore('Ash', 9)).status).toBe(404)
    expect((await restore('Ash', 1, before.modified_time)).json()).toMatchObject({
      shape_name: 'Ash',
      shape_description: null,
      geom: findShape('Ash').geom,
      modified_by: 'planner',
    })
    expect((await listVersions('Ash')).map(({ act, changes }) => [act, ...changes])[0]).toEqual([
      'restored',
      'name',
      'description',
      'geometry',
    ])
    // A version that is already current is not restored again.
    expect((await restore('Ash', 1)).statusCode).toBe(200)
    expect(await listVersions('Ash')).toHaveLength(4)
  })

  it('restores a deleted shape with its ID, position and properties', async () => {
    const hash = async () => (await call(app, city.viewer, getLayer, { params: inLayer() })).content_hash
    const before = await hash()
    await call(app, city.planner, deleteShape, { params: shapeParams('Cedar'), query: {} })
    expect(readProblem(await send(app, city.viewer, getShape, { params: shapeParams('Cedar') })).status).toBe(
      404,
    )
    expect((await listVersions('Cedar')).map(({ act, shape_name, geom }) => [act, shape_name, geom])).toEqual(
      [
        ['deleted', 'Cedar', findShape('Cedar').geom],
        ['created', 'Cedar', findShape('Cedar').geom],
      ],
    )
    const back = (await restore('Cedar', 2)).json<Shape>()
    expect(back).toEqual({ ...findShape('Cedar'), modified_time: back.modified_time, modified_by: 'planner' })
    expect(await hash()).toBe(before)
    expect((await listVersions('Cedar')).map(({ version, act }) => [version, act])).toEqual([
      [3, 'restored'],
      [2, 'deleted'],
      [1, 'created'],
    ])
  })

  it('retains shapes that an updated file removes', async () => {
    const bytes = makeGeoJson([
      { name: 'Elm', geometry: makeBox(-72.9, 41.5) },
      { name: 'Fir', geometry: findShape('Fir').geom },
    ])
    await call(app, city.admin, uploadShapes, {
      params: inAlder,
      query: { file_name: 'two.geojson', shape_layer_uuid: layer.shape_layer_uuid, name_property: 'name' },
      body: bytes,
    })
    expect((await listVersions('Dogwood'))[0]).toMatchObject({ act: 'deleted', changed_by: 'admin' })
    expect([(await listVersions('Elm')).length, (await listVersions('Fir')).length]).toEqual([2, 1])
    expect((await restore('Dogwood', 1)).statusCode).toBe(200)
  })

  it('lists edits of a layer by user and shape, newest first, in pages', async () => {
    const list = (
      query: {
        act?: 'created' | 'changed' | 'deleted' | 'restored'
        text?: string
        page?: number
        size?: number
      },
      as = city.viewer,
    ) => call(app, as, listLayerHistory, { params: inLayer(), query })
    const all = await list({})
    expect(all.items.map(({ changed_time }) => Date.parse(changed_time))).toEqual(
      all.items.map(({ changed_time }) => Date.parse(changed_time)).toSorted((a, b) => b - a),
    )
    expect(all.items[0]).toMatchObject({
      act: 'restored',
      shape_name: 'Dogwood',
      changed_by: 'planner',
      is_deleted: false,
    })
    expect(
      (await list({ act: 'deleted' })).items
        .map(({ shape_name, is_deleted }) => `${shape_name} ${is_deleted}`)
        .toSorted(),
    ).toEqual(['Ash true', 'Beech true', 'Cedar true', 'Cedar true', 'Dogwood false'])
    expect((await list({ text: 'cedar' })).total).toBe(4)
    const pages = [...(await list({ size: 4, page: 1 })).items, ...(await list({ size: 4, page: 2 })).items]
    expect(pages).toEqual(all.items.slice(0, 8))
    expect(readProblem(await send(app, city.stranger, listLayerHistory, { params: inLayer() })).status).toBe(
      404,
    )
    expect(
      readProblem(await send(app, city.stranger, getShapeHistory, { params: shapeParams('Ash') })).status,
    ).toBe(404)
    expect(
      readProblem(
        await send(app, city.viewer, restoreShape, { params: shapeParams('Ash'), body: { version: 1 } }),
      ).status,
    ).toBe(403)
  })

  it('is in the audit log with every change and its user', async () => {
    const listActs = async () =>
      (await call(app, city.admin, listAudit, { query: { size: 300 } })).items.map(
        ({ action, user_email, status }) => `${action} ${status} ${user_email}`,
      )
    const authors = [
      'changeShapes 200 planner',
      'changeShapes 409 planner',
      'restoreShape 200 planner',
      'deleteShape 200 admin',
      'changeLayer 200 admin',
      'changeShape 409 planner',
      'changeShapes 403 viewer',
    ]
    await expect
      .poll(listActs, { timeout: 5000 })
      .toEqual(expect.arrayContaining(authors.map((name) => `${name}@alder.example`)))
  })
})

describe('a locked layer', () => {
  beforeAll(() => makeLayer('Locked'))

  it('rejects edits of its shapes until it is unlocked', async () => {
    await call(app, city.planner, changeLayer, { params: inLayer(), body: { editable: false } })
    const bytes = makeGeoJson([{ name: 'Elm', geometry: makeBox(-72.9, 41.5) }])
    const responses = [
      await send(app, city.planner, createShape, {
        params: inAlder,
        body: { shape_layer_uuid: layer.shape_layer_uuid, shape_name: 'x', geom: makeBox(-72, 41) },
      }),
      await send(app, city.planner, changeShape, { params: shapeParams('Ash'), body: { shape_name: 'x' } }),
      await send(app, city.planner, deleteShape, { params: shapeParams('Ash') }),
      await send(app, city.planner, restoreShape, { params: shapeParams('Ash'), body: { version: 1 } }),
      await saveBatch({ deleted: [getVersion('Ash')] }),
      await send(app, city.planner, uploadShapes, {
        params: inAlder,
        query: { file_name: 'x.geojson', shape_layer_uuid: layer.shape_layer_uuid },
        body: bytes,
      }),
    ]
    for (const response of responses)
      expect(readProblem(response)).toMatchObject({
        status: 409,
        detail: expect.stringContaining('cannot be edited'),
      })
    expect(await readShapes(app, city.viewer, layer)).toEqual([...shapes.values()])
    await call(app, city.planner, changeLayer, { params: inLayer(), body: { editable: true } })
    expect(
      (
        await call(app, city.planner, changeShape, {
          params: shapeParams('Ash'),
          body: { shape_name: 'Open' },
        })
      ).shape_name,
    ).toBe('Open')
  })
})

import fs from 'node:fs'
import { expect, vi, test } from 'vitest'
import { systemScope } from '#server/identity/scope.ts'
import { openState } from '#server/stores/state.ts'
import { createDataDir } from '../../../test/new-data-dir.ts'
import { findLayerGeometries } from '../shapes/find-shapes.ts'
import { readLayerShapes, countPositions } from './read-layer-shapes.ts'
import { positions } from '../../../test/positions.ts'

test('readLayerShapes reads all shapes of a layer in their order, page by page', async () => {
  const dataDir = createDataDir()
  const state = await openState({ databaseUrl: null, dataDir })
  const organization = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
  const layer = '00000000-0000-4000-8000-000000000001'
  const otherLayer = '00000000-0000-4000-8000-000000000002'
  // Repeated layer positions, and shapes with few and with many coordinates, so that page sizes vary.
  await state.execute(`
    insert into organization (organization_id, name, type) values ('${organization}', 'o', 'city');
    insert into region (region_id, organization_id, text, lat, lon, map_zoom, currency_code, timezone, is_metric) values ('r', '${organization}', 'r', 0, 0, 1, 'USD', 'UTC', true);
    insert into layer (layer_id, region_id, name, slug, content_hash) values ('${layer}', 'r', 'l', 'l', 'c'), ('${otherLayer}', 'r', 'm', 'm', 'c');
    insert into shape (shape_uuid, region_id, layer_id, position, shape_id, name, geometry)
      select gen_random_uuid(), 'r', '${layer}'::uuid, n / 3, n::text, 'n' || n, jsonb_build_object('type', 'LineString', 'coordinates', (select jsonb_agg(jsonb_build_array(n / 100.0, k)) from generate_series(1, case when n between 200 and 250 then 2 else 60 end) as k))
      from generate_series(0, 399) as n;
    insert into shape (shape_uuid, region_id, layer_id, position, shape_id, name, geometry) values (gen_random_uuid(), 'r', '${otherLayer}', 0, 'x', 'x', '{"type": "Point", "coordinates": [1, 2]}')`)
  const store = state.as(systemScope)
  const queries = vi.spyOn(store, 'selectFrom')
  const layerShapes = await readLayerShapes({ ...state, as: () => store }, systemScope, layer, 'c')
  expect(queries.mock.calls.filter(([table]) => String(table) === 'shape').length).toBeGreaterThan(3)
  queries.mockRestore()
  expect(layerShapes).toEqual(
    (await findLayerGeometries(state, systemScope, layer)).map(({ shapeId, name, geometry }) => ({
      shapeId,
      name,
      geometry,
    })),
  )
  expect(layerShapes).toHaveLength(400)
  expect((await readLayerShapes(state, systemScope, otherLayer, 'c')).map(({ name }) => name)).toEqual(['x'])
  // Pages may not be of different contents.
  await expect(readLayerShapes(state, systemScope, layer, 'the content before')).rejects.toThrow(
    'The layer is being changed. Try again.',
  )
  await state.close()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

test('countPositions counts the positions of any geometry', () => {
  expect(countPositions({ type: 'Point', coordinates: [1, 2] })).toBe(1)
  expect(
    countPositions({
      type: 'MultiLineString',
      coordinates: [positions('1 2, 3 4'), positions('5 6, 7 8, 9 9')],
    }),
  ).toBe(5)
  expect(
    countPositions({
      type: 'MultiPolygon',
      coordinates: [[positions('0 0, 1 0, 1 1, 0 0')], [positions('0 0, 1 0, 1 1, 0 0')]],
    }),
  ).toBe(8)
})

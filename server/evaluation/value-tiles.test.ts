import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { expect, test } from 'vitest'
import { systemScope } from '#server/identity/scope.ts'
import { fakeState } from '../../test/engines/fake-state.ts'
import { getTilesVersion, ValueTiles } from './value-tiles.ts'

const square = (west: number): object => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 10],
      [west + 5, 10],
      [west + 5, 15],
      [west, 15],
      [west, 10],
    ],
  ],
})
const shapes = [10, 20, 30].map((west, index) => ({
  shape_uuid: 'abc'[index],
  row_hash: `h${index}`,
  name: `n${index}`,
  class: 'park',
  geometry: square(west),
}))
const list = { last: 2, stored: shapes.map((shape) => `${shape.shape_uuid} ${shape.row_hash}`).join(',') }

test('ValueTiles encodes the values of shapes in their order, and reads the layer once', async () => {
  // The first result is the list of shapes, the second the shapes.
  const rows = shapes.map((shape, index) => (index === 0 ? { ...shape, ...list } : shape))
  const { state, readTables } = fakeState({ shape: rows })
  const tiles = new ValueTiles(state)
  const layer = { shape_layer_uuid: 'l', content_hash: 'c' }
  const figures = { a: { value: 5, n: 6, counts: {} }, b: { value: null, n: 0, counts: {} } }
  const read = async (x: number, values: Partial<typeof figures> = figures): Promise<unknown> => {
    const tile = await tiles.tile(systemScope, layer, { z: 4, x, y: 7 }, values)
    if (!tile) return null
    const features = new VectorTile(new PbfReader(gunzipSync(tile.gzipped))).layers['shapes']
    return Array.from({ length: features?.length ?? 0 }, (_, index) => features?.feature(index).properties)
  }
  expect(await read(8)).toEqual([
    { shape_uuid: 'a', name: 'n0', value: 5, n: 6 },
    { shape_uuid: 'b', name: 'n1', n: 0 },
  ])
  expect(await read(8, {})).toEqual([
    { shape_uuid: 'a', name: 'n0', n: 0 },
    { shape_uuid: 'b', name: 'n1', n: 0 },
  ])
  expect(await read(9)).toEqual([
    { shape_uuid: 'b', name: 'n1', n: 0 },
    { shape_uuid: 'c', name: 'n2', n: 0 },
  ])
  expect(await read(2)).toBeNull()
  expect(readTables).toEqual(['shape', 'shape'])
})

test('ValueTiles returns versions that differ by facts and by visible operators', () => {
  const versions = [
    getTilesVersion({ operators: null }, '7.abc'),
    getTilesVersion({ operators: ['lark'] }, '7.abc'),
    getTilesVersion({ operators: ['heron'] }, '7.abc'),
    getTilesVersion({ operators: ['lark'] }, '8.abc'),
  ]
  expect(new Set(versions).size).toBe(4)
  expect(versions[0]).toBe('7.abc')
  expect(versions[1]).toBe(getTilesVersion({ operators: ['lark'] }, '7.abc'))
})

import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { expect, it } from 'vitest'
import { systemScope } from '#server/identity/scope.ts'
import { fakeState } from '../../test/engines/fake-state.ts'
import { ValueTiles } from './value-tiles.ts'

const square = (west: number, corners = 4): object => {
  const line = Array.from({ length: corners }, (_, at) => [west + (5 * at) / corners, 10])
  return { type: 'Polygon', coordinates: [[...line, [west + 5, 15], [west, 15], [west, 10]]] }
}
// More places than are cut at once: the layer is cut in parts.
const shapes = [square(10, 4000), square(20, 4000), square(30)].map((geometry, at) => ({
  shape_uuid: 'abc'[at],
  name: `n${at}`,
  geometry,
  position: at,
}))

it('puts the values of all shapes into one tile, in their order, however many parts the layer is cut in', async () => {
  const { state, asked } = fakeState({ shape: shapes, layer: [{ content_hash: 'c' }] })
  const tiles = new ValueTiles(state)
  const figures = { a: { value: 5, n: 6, counts: {} }, b: { value: null, n: 0, counts: {} } }
  const read = async (x: number): Promise<unknown> => {
    const tile = await tiles.tile(systemScope, 'l', 'c', { z: 4, x, y: 7 }, figures)
    if (!tile) return null
    const { shapes: found } = new VectorTile(new PbfReader(gunzipSync(tile.gzipped))).layers
    return Array.from({ length: found?.length ?? 0 }, (_, at) => found?.feature(at).properties)
  }
  expect(await read(8)).toEqual([
    { shape_uuid: 'a', name: 'n0', value: 5, n: 6 },
    { shape_uuid: 'b', name: 'n1', n: 0 },
  ])
  expect(await read(9)).toEqual([
    { shape_uuid: 'b', name: 'n1', n: 0 },
    { shape_uuid: 'c', name: 'n2', n: 0 },
  ])
  expect(await read(2)).toBeNull()
  expect(asked).toEqual(['shape', 'layer'])
})

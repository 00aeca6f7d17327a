import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { describe, expect, it } from 'vitest'
import type { Layer } from '#contract/geography.ts'
import { systemScope } from '#server/identity/scope.ts'
import { fakeState } from '../../test/engines/fake-state.ts'
import { LayerTiles, type Tile } from './layer-tiles.ts'

const square = { type: 'Polygon', coordinates: [[[10, 10], [20, 10], [20, 20], [10, 20], [10, 10]]] }
const shapes = [
  { shape_uuid: 'a', name: 'Alpha é', geometry: square, properties: { class: 'park', secret: 'not in tiles', class_2: 1 } },
  { shape_uuid: 'b', name: 'Beta', geometry: { type: 'LineString', coordinates: [[12, 12], [18, 18]] }, properties: { class: 7 } },
  { shape_uuid: 'c', name: 'Gamma', geometry: { type: 'Point', coordinates: [15, 15] }, properties: {} },
]
const layer = (content_hash: string): Layer => ({ shape_layer_uuid: 'l', content_hash }) as Layer
const read = (tile: Tile | null) => {
  const { shapes: found } = new VectorTile(new PbfReader(gunzipSync(tile?.gzipped ?? Buffer.alloc(0)))).layers
  return Array.from({ length: found?.length ?? 0 }, (_, at) => found?.feature(at)).map((feature): Record<string, unknown> => ({ ...feature?.properties, kind: feature?.type }))
}

describe('LayerTiles', () => {
  it('draws every shape with its id, name and class, and nothing else of it', async () => {
    const tiles = new LayerTiles(fakeState({ shape: shapes }).state)
    expect(read(await tiles.tile(systemScope, layer('1'), 0, 0, 0))).toEqual([
      { shape_uuid: 'a', name: 'Alpha é', class: 'park', kind: 3 },
      { shape_uuid: 'b', name: 'Beta', kind: 2 },
      { shape_uuid: 'c', name: 'Gamma', kind: 1 },
    ])
  })

  it('puts them where they are', async () => {
    const tiles = new LayerTiles(fakeState({ shape: shapes }).state)
    const size = 2 ** 6
    const place = (lon: number, lat: number): [number, number] => [Math.floor(((lon + 180) / 360) * size), Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * size)]
    const [x, y] = place(15, 15)
    expect(read(await tiles.tile(systemScope, layer('1'), 6, x, y)).map((each) => each['name'])).toEqual(['Alpha é', 'Beta', 'Gamma'])
    expect(read(await tiles.tile(systemScope, layer('1'), 6, ...place(11, 18))).map((each) => each['name'])).toEqual(['Alpha é'])
    expect(await tiles.tile(systemScope, layer('1'), 6, ...place(40, 40))).toBeNull()
    expect(await tiles.tile(systemScope, layer('1'), 3, 999, 0)).toBeNull()
  })

  it('reads a layer once for all of its tiles, and anew when its content is another', async () => {
    const { state, asked } = fakeState({ shape: shapes })
    const tiles = new LayerTiles(state)
    const [first, again] = await Promise.all([tiles.tile(systemScope, layer('1'), 0, 0, 0), tiles.tile(systemScope, layer('1'), 1, 1, 0)])
    expect(asked).toEqual(['shape'])
    expect(first?.etag).not.toBe(again?.etag)
    expect(await tiles.tile(systemScope, layer('1'), 0, 0, 0)).toBe(first)
    expect((await tiles.tile(systemScope, layer('2'), 0, 0, 0))?.etag).not.toBe(first?.etag)
    expect(asked).toEqual(['shape', 'shape'])
  })
})

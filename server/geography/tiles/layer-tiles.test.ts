import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { describe, expect, it } from 'vitest'
import type { Layer } from '#contract/geography.ts'
import { systemScope } from '#server/identity/scope.ts'
import { fakeState } from '../../../test/engines/fake-state.ts'
import { LayerTiles } from './layer-tiles.ts'
import type { Tile } from './draw-tile.ts'
import { positions } from '../../../test/positions.ts'

const square = { type: 'Polygon', coordinates: [positions('10 10, 20 10, 20 20, 10 20, 10 10')] }
const shapes = [
  {
    shape_uuid: 'a',
    row_hash: 'a1',
    name: 'Alpha é',
    geometry: square,
    class: 'park',
    properties: { secret: 'not in tiles' },
  },
  {
    shape_uuid: 'b',
    row_hash: 'b1',
    name: 'Beta',
    geometry: { type: 'LineString', coordinates: positions('12 12, 18 18') },
    class: 7,
  },
  {
    shape_uuid: 'c',
    row_hash: 'c1',
    name: 'Gamma',
    geometry: { type: 'Point', coordinates: [15, 15] },
    class: null,
  },
]
/** Returns the results of both queries: the list of hashes, and the rows. */
const toStoredRows = (rows: readonly { shape_uuid: string; row_hash: string }[]) => {
  const list = {
    last: rows.length - 1,
    stored: rows.map(({ shape_uuid: id, row_hash: hash }) => `${id} ${hash}`).join(','),
  }
  // The first result is the list, the second the shapes.
  return rows.map((row, index) => (index === 0 ? { ...row, ...list } : row))
}
const layer = (content_hash: string): Layer => ({ shape_layer_uuid: 'l', content_hash }) as Layer
const read = (tile: Tile | null) => {
  const { layers } = new VectorTile(new PbfReader(gunzipSync(tile?.gzipped ?? Buffer.alloc(0))))
  const length = layers['shapes']?.length ?? 0
  return Array.from({ length }, (_, index): Record<string, unknown> => {
    const feature = layers['shapes']?.feature(index)
    return { ...feature?.properties, kind: feature?.type }
  })
}

describe('LayerTiles', () => {
  it('draws every shape with id, name and class only', async () => {
    const tiles = new LayerTiles(fakeState({ shape: toStoredRows(shapes) }).state)
    expect(read(await tiles.getTile(systemScope, layer('1'), { z: 0, x: 0, y: 0 }))).toEqual([
      { shape_uuid: 'a', name: 'Alpha é', class: 'park', kind: 3 },
      { shape_uuid: 'b', name: 'Beta', kind: 2 },
      { shape_uuid: 'c', name: 'Gamma', kind: 1 },
    ])
  })

  it('draws shapes in the tiles that contain them', async () => {
    const tiles = new LayerTiles(fakeState({ shape: toStoredRows(shapes) }).state)
    const size = 2 ** 6
    const tileAt = (lon: number, lat: number) => ({
      z: 6,
      x: Math.floor(((lon + 180) / 360) * size),
      y: Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * size),
    })
    expect(
      read(await tiles.getTile(systemScope, layer('1'), tileAt(15, 15))).map((feature) => feature['name']),
    ).toEqual(['Alpha é', 'Beta', 'Gamma'])
    expect(
      read(await tiles.getTile(systemScope, layer('1'), tileAt(11, 18))).map((feature) => feature['name']),
    ).toEqual(['Alpha é'])
    expect(await tiles.getTile(systemScope, layer('1'), tileAt(40, 40))).toBeNull()
    expect(await tiles.getTile(systemScope, layer('1'), { z: 3, x: 999, y: 0 })).toBeNull()
  })

  it('reads a layer once for all of its tiles', async () => {
    const { state, readTables } = fakeState({ shape: toStoredRows(shapes) })
    const tiles = new LayerTiles(state)
    const [first, again] = await Promise.all([
      tiles.getTile(systemScope, layer('1'), { z: 0, x: 0, y: 0 }),
      tiles.getTile(systemScope, layer('1'), { z: 1, x: 1, y: 0 }),
    ])
    // The list of shapes, then the shapes.
    expect(readTables).toEqual(['shape', 'shape'])
    expect(first?.etag).not.toBe(again?.etag)
    expect(await tiles.getTile(systemScope, layer('1'), { z: 0, x: 0, y: 0 })).toBe(first)
    expect(readTables).toHaveLength(2)
  })

  it('redraws only the tiles that a change affects', async () => {
    const rows = [
      ...shapes,
      {
        shape_uuid: 'd',
        row_hash: 'd1',
        name: 'Delta',
        geometry: { type: 'Point', coordinates: [-100, 40] },
        class: null,
      },
    ]
    const tables = { shape: toStoredRows(rows) }
    const tiles = new LayerTiles(fakeState(tables).state)
    const [east, west, all] = await Promise.all([
      tiles.getTile(systemScope, layer('1'), { z: 2, x: 2, y: 1 }),
      tiles.getTile(systemScope, layer('1'), { z: 3, x: 1, y: 3 }),
      tiles.getTile(systemScope, layer('1'), { z: 0, x: 0, y: 0 }),
    ])
    rows[0] = { ...rows[0]!, row_hash: 'a2', name: 'Alpha the second' }
    rows.splice(1, 1)
    tables.shape = toStoredRows(rows)
    const now = await tiles.getTile(systemScope, layer('2'), { z: 2, x: 2, y: 1 })
    expect(read(now).map((feature) => feature['name'])).toEqual(['Alpha the second', 'Gamma'])
    expect(now?.etag).not.toBe(east?.etag)
    expect(await tiles.getTile(systemScope, layer('2'), { z: 3, x: 1, y: 3 })).toBe(west)
    expect(await tiles.getTile(systemScope, layer('2'), { z: 0, x: 0, y: 0 })).not.toBe(all)
  })

  it('does not cache a layer that could not be read', async () => {
    const { state, readTables } = fakeState({ shape: toStoredRows(shapes) })
    let isDown = true
    const flaky = {
      as: (scope: typeof systemScope) => {
        if (isDown) throw new Error('The store is away')
        return state.as(scope)
      },
    } as typeof state
    const tiles = new LayerTiles(flaky)
    await expect(tiles.getTile(systemScope, layer('1'), { z: 0, x: 0, y: 0 })).rejects.toThrow('away')
    isDown = false
    await tiles.prepare(systemScope, layer('1'))
    expect(readTables).toHaveLength(2)
    expect(read(await tiles.getTile(systemScope, layer('1'), { z: 0, x: 0, y: 0 }))).toHaveLength(3)
  })
})

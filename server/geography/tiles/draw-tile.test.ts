import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { describe, expect, it } from 'vitest'
import type { Geometry, Position } from '#contract/place.ts'
import { drawTile, encodeTile, makeTileSource } from './draw-tile.ts'
import { positions } from '../../../test/positions.ts'

const draw = async (geometries: readonly Geometry[], z: number, x: number, y: number) => {
  const sources = geometries.map((geometry, index) =>
    makeTileSource(`${index}`, geometry, { name: `n${index}` }),
  )
  const tile = await encodeTile(await drawTile(sources, z, x, y))
  const layer = tile && new VectorTile(new PbfReader(gunzipSync(tile.gzipped))).layers['shapes']
  return Array.from({ length: layer?.length ?? 0 }, (_, index) => {
    const feature = layer!.feature(index)
    const lines = feature.loadGeometry().map((line) => line.map(({ x, y }): [number, number] => [x, y]))
    return { name: feature.properties['name'], kind: feature.type, lines }
  })
}

const tileAt = ([lon, lat]: Position, z: number): [number, number, number] => [
  z,
  Math.floor(((lon + 180) / 360) * 2 ** z),
  Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z),
]

describe('drawTile', () => {
  it('draws shapes in their order, also in several batches', async () => {
    const circle = (lon: number): Geometry => ({
      type: 'LineString',
      coordinates: Array.from({ length: 4000 }, (_, index): Position => [
        lon + Math.sin(index / 600),
        Math.cos(index / 600),
      ]),
    })
    const drawn = await draw([circle(10), circle(11), circle(12), circle(100)], ...tileAt([11, 0], 5))
    expect(drawn.map(({ name, kind }) => [name, kind])).toEqual([
      ['n0', 2],
      ['n1', 2],
      ['n2', 2],
    ])
  })

  it('clips to the tile with its margin', async () => {
    const world: Geometry = {
      type: 'Polygon',
      coordinates: [positions('-170 -80, 170 -80, 170 80, -170 80, -170 -80')],
    }
    const [drawn] = await draw([world], 5, 12, 12)
    expect(new Set(drawn!.lines.flat(2))).toEqual(new Set([-64, 4160]))
  })

  it('draws outer rings clockwise and holes counterclockwise, in any input order', async () => {
    const square = (half: number): Position[] => [
      [-half, -half],
      [half, -half],
      [half, half],
      [-half, half],
      [-half, -half],
    ]
    const signedArea = (places: readonly [number, number][]): number =>
      places.reduce((sum, [x, y], index) => {
        const [nextX, nextY] = places[(index + 1) % places.length]!
        return sum + x * nextY - nextX * y
      }, 0)
    for (const rings of [
      [square(20), square(10)],
      [square(20).toReversed(), square(10).toReversed()],
    ]) {
      const [drawn] = await draw([{ type: 'Polygon', coordinates: rings }], 0, 0, 0)
      expect(drawn!.lines.map((ring) => Math.sign(signedArea(ring)))).toEqual([1, -1])
    }
  })

  it('omits shapes that are too small to see, and draws all from zoom 16', async () => {
    const dot: Geometry = {
      type: 'Polygon',
      coordinates: [positions('10 10, 10.00001 10, 10.00001 10.00001, 10 10')],
    }
    expect(await draw([dot], 0, 0, 0)).toEqual([])
    expect(await draw([dot], ...tileAt([10, 10], 16))).toHaveLength(1)
    expect(await draw([dot], ...tileAt([10, 10], 18))).toHaveLength(1)
    const source = makeTileSource('0', dot, {})
    expect(await drawTile([source], 0, 0, 0)).toEqual([])
    expect(await drawTile([source], 3, 0, 0)).toBeNull()
    expect(await encodeTile(null)).toBeNull()
  })
})

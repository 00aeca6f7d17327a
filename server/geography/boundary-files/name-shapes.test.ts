import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Geometry, Position } from '#contract/place.ts'
import type { BoundaryReading } from './boundary-content.ts'
import { nameShapes } from './name-shapes.ts'
import { buildPreview } from './preview-boundaries.ts'
import { sendTile } from '../tiles/send-tile.ts'

type Properties = Record<string, string | number | boolean | null>
const nowhere = { lon: 0, lat: 0, text: 'Nowhere' }
const point: Geometry = { type: 'Point', coordinates: [0, 0] }
const reading = (
  features: { geometry?: Geometry; properties?: Properties }[],
  suggestedName: string | null = 'name',
): BoundaryReading => ({
  fileName: 'f.geojson',
  format: 'GeoJSON',
  features: features.map(({ geometry = point, properties = {} }, index) => ({
    geometry,
    properties,
    position: index + 1,
  })),
  properties: [],
  suggestedName,
  notes: [],
  bbox: [0, 0, 0, 0],
})
const makeNames = (names: (string | number | boolean | null)[]): string[] =>
  nameShapes(reading(names.map((name) => ({ properties: { name } }))), 'name').map(({ name }) => name)

describe('nameShapes', () => {
  it('gives every shape a unique name', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom('A', 'A (2)', 'A (3)', 'A (2) (2)', '', null, ' A ', 'Shape 2', 7, true),
            fc.string(),
          ),
          { maxLength: 40 },
        ),
        (names) => {
          const shapeNames = makeNames(names)
          expect(new Set(shapeNames).size).toBe(names.length)
          for (const name of shapeNames) expect(name.trim()).not.toBe('')
        },
      ),
    )
  })

  it('retains names, numbers repeated ones and names others by position', () => {
    expect(makeNames(['A', 'B', 'A', null, ' ', 'A', 0, false])).toEqual([
      'A',
      'B',
      'A (2)',
      'Shape 4',
      'Shape 5',
      'A (3)',
      '0',
      'false',
    ])
    expect(makeNames(['A', 'A', 'A (2)'])).toEqual(['A', 'A (2)', 'A (2) (2)'])
    expect(makeNames(['x'.repeat(300)])[0]).toHaveLength(200)
  })

  it('uses the chosen property, else the suggested one, else the position', () => {
    const source = [{ properties: { name: 'n', label: 'l' } }]
    expect([
      nameShapes(reading(source), 'label')[0]?.name,
      nameShapes(reading(source), null)[0]?.name,
      nameShapes(reading(source, null), null)[0]?.name,
      nameShapes(reading(source), 'none')[0]?.name,
    ]).toEqual(['l', 'n', 'Shape 1', 'Shape 1'])
  })

  it('retains the id of the file', () => {
    expect(
      nameShapes(reading([{ properties: { id: 17 } }, { properties: { shape_id: 'z' } }, {}]), null).map(
        ({ shapeId }) => shapeId,
      ),
    ).toEqual(['17', 'z', '3'])
  })
})

describe('buildPreview', () => {
  const ring = (count: number): Position[] =>
    Array.from({ length: count }, (_, index): Position => [
      Math.cos(((index % (count - 1)) / (count - 1)) * 2 * Math.PI),
      Math.sin(((index % (count - 1)) / (count - 1)) * 2 * Math.PI),
    ])

  it('shows small files unchanged', () => {
    const source = reading([
      { geometry: { type: 'Polygon', coordinates: [ring(100)] }, properties: { a: 1 } },
    ])
    expect(buildPreview(source, 'id', nowhere).features).toEqual([
      { type: 'Feature', geometry: source.features[0]?.geometry, properties: { a: 1 } },
    ])
  })

  it('simplifies large ones to valid rings', () => {
    const sizes = [400_000, 4, 5, 8, 9, 60, 700]
    const source = reading([
      { geometry: { type: 'MultiPolygon', coordinates: sizes.map((size) => [ring(size)]) } },
      { geometry: { type: 'LineString', coordinates: ring(30_000) } },
      { geometry: point },
      { geometry: { type: 'MultiPoint', coordinates: ring(500_000) } },
    ])
    const { features } = buildPreview(source, 'id', nowhere)
    const [area, line, place, places] = features.map(({ geometry }) => geometry.coordinates as unknown)
    const rings = (area as Position[][][]).flat()
    expect(rings.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(80_000)
    for (const [index, each] of rings.entries()) {
      expect(each.length).toBeGreaterThanOrEqual(4)
      expect([each[0], each.at(-1)]).toEqual([
        ring(sizes[index] as number)[0],
        ring(sizes[index] as number).at(-1),
      ])
    }
    expect((line as Position[]).length).toBeLessThan(10_000)
    expect(place).toEqual([0, 0])
    expect((places as Position[]).length).toBeLessThan(100_000)
  })

  it('shows at most two thousand features and five hundred notes, with the total', () => {
    const source = {
      ...reading(Array.from({ length: 2500 }, (_, index) => ({ properties: { number: index } }))),
      notes: Array.from({ length: 700 }, (_, position) => ({ position, code: 'c', text: 't' })),
    }
    const { features, ...preview } = buildPreview(source, 'id', nowhere)
    expect(preview).toMatchObject({ feature_count: 2500, notes: { length: 500 } })
    expect(features).toHaveLength(2000)
    // A sample from all parts of the file, not its beginning.
    expect([0, 1000, 1999].map((index) => features[index]?.properties['number'])).toEqual([0, 1250, 2499])
  })
})

describe('sendTile', () => {
  const tile = { gzipped: Buffer.from('x'), etag: '"e"' }
  it('sends bytes, then 304', () => {
    expect(sendTile(tile, new Headers(), 'viewer')).toMatchObject({
      status: 200,
      headers: {
        etag: '"e"',
        'content-encoding': 'gzip',
        'content-type': 'application/vnd.mapbox-vector-tile',
        'cache-control': expect.stringMatching(/^private/),
      },
    })
    expect(sendTile(tile, new Headers({ 'if-none-match': '"e"' }), 'viewer')).toMatchObject({
      status: 304,
      body: null,
    })
    expect(sendTile(tile, new Headers({ 'if-none-match': '"other"' }), 'viewer')).toMatchObject({
      status: 200,
    })
    expect(sendTile(tile, new Headers(), 'everybody').headers).toMatchObject({
      'cache-control': expect.stringMatching(/^public/),
    })
    expect(sendTile(null, new Headers(), 'viewer')).toMatchObject({ status: 204, body: null })
    expect(sendTile(tile, new Headers(), 'versioned').headers).toMatchObject({
      'cache-control': 'private, max-age=31536000, immutable',
    })
    expect(sendTile(tile, new Headers(), 'changing').headers['cache-control']).toBe('no-store')
  })
})

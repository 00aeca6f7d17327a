import { describe, expect, it } from 'vitest'
import type { Position } from '#contract/place.ts'
import { buildPreview } from './preview-boundaries.ts'
import { makeReading } from './reading-for-test.ts'

const nowhere = { lon: 0, lat: 0, text: 'Nowhere' }

describe('buildPreview', () => {
  const ring = (count: number): Position[] =>
    Array.from({ length: count }, (_, index): Position => [
      Math.cos(((index % (count - 1)) / (count - 1)) * 2 * Math.PI),
      Math.sin(((index % (count - 1)) / (count - 1)) * 2 * Math.PI),
    ])

  it('shows small files unchanged', () => {
    const source = makeReading([
      { geometry: { type: 'Polygon', coordinates: [ring(100)] }, properties: { a: 1 } },
    ])
    expect(buildPreview(source, 'id', nowhere).features).toEqual([
      { type: 'Feature', geometry: source.features[0]?.geometry, properties: { a: 1 } },
    ])
  })

  it('simplifies large ones to valid rings', () => {
    const sizes = [400_000, 4, 5, 8, 9, 60, 700]
    const source = makeReading([
      { geometry: { type: 'MultiPolygon', coordinates: sizes.map((size) => [ring(size)]) } },
      { geometry: { type: 'LineString', coordinates: ring(30_000) } },
      {},
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
      ...makeReading(Array.from({ length: 2500 }, (_, index) => ({ properties: { number: index } }))),
      notes: Array.from({ length: 700 }, (_, position) => ({ position, code: 'c', text: 't' })),
    }
    const { features, ...preview } = buildPreview(source, 'id', nowhere)
    expect(preview).toMatchObject({ feature_count: 2500, notes: { length: 500 } })
    expect(features).toHaveLength(2000)
    // A sample from all parts of the file, not its beginning.
    expect([0, 1000, 1999].map((index) => features[index]?.properties['number'])).toEqual([0, 1250, 2499])
  })
})

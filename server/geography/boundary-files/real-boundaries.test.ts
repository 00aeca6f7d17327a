import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readBoundaries } from './read-boundaries.ts'
import { growShape } from '../geometry/grow-shape.ts'
import { isValidArea } from '../geometry/repair/is-valid-area.ts'
import { repairShape } from '../geometry/repair-shape.ts'
import { reviewNames } from './review-features.ts'

const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
const present = existsSync(data)
if (!present) console.warn('Skipped: published boundary files, which are not at ../shared/data')

describe.skipIf(!present)('published boundary files', () => {
  it.each([
    ['portland/geo/neighborhoods.geojson', 63, 'name', 6],
    ['portland/geo/river.geojson', 7, 'REACH', 1],
    ['columbus/geo/neighborhoods.geojson', 39, 'name', 2],
    ['louisville/neighborhoods.geojson', 67, 'name', 0],
    ['columbus/mds/mds_geographies.json', 110, 'name', 5],
  ])(
    '%s is read, mended and grown',
    async (file, count, name, invalid) => {
      const read = await readBoundaries(file, readFileSync(data + file))
      expect(read.features).toHaveLength(count)
      expect(read.suggestedName).toBe(name)
      const started = performance.now()
      const repaired = read.features.map((feature) => repairShape(feature.geometry))
      // Takes well under a second on an idle machine, but tests run in parallel.
      expect(performance.now() - started).toBeLessThan(10_000)
      expect(
        repaired.filter(({ repairs }) =>
          repairs.some(({ code }) => code === 'borders-crossed' || code === 'parts-joined'),
        ),
      ).toHaveLength(invalid)
      for (const { geometry } of repaired) {
        if (geometry?.type !== 'Polygon' && geometry?.type !== 'MultiPolygon') throw new Error('no area')
        expect(isValidArea(geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates)).toBe(
          true,
        )
        expect(repairShape(geometry).geometry).toBe(geometry)
        expect(growShape(geometry, 20)).not.toBeNull()
      }
    },
    120_000,
  )

  it('reports names with blanks: the MDS geographies of Columbus', async () => {
    const { features, suggestedName } = await readBoundaries(
      'mds_geographies.json',
      readFileSync(`${data}columbus/mds/mds_geographies.json`),
    )
    const notes = reviewNames(features as unknown as Parameters<typeof reviewNames>[0], suggestedName ?? '')
    expect(notes.map(({ text }) => text)).toEqual([
      '6 names began or ended with blanks, which were removed: Schiller Park Stewart Ave, Neiland Dr & W. Nationwide Blvd, Hilltop, Franklinton, Old Town/Bronezville, North Linden.',
    ])
  })

  it('reads lines: the bicycle network of Portland', async () => {
    const read = await readBoundaries(
      'bicycle_network.geojson',
      readFileSync(`${data}portland/geo/bicycle_network.geojson`),
    )
    expect(read.features).toHaveLength(5175)
    expect(read.notes).toEqual([])
  })
})

describe('a border of 100,000 vertices', () => {
  const count = 100_000
  const ring = Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * 2 * Math.PI
    const radius = 0.1 + 0.01 * Math.sin(500 * angle) + 0.0001 * Math.sin(12.9898 * index)
    return [-122 + radius * Math.cos(angle), 45 + radius * Math.sin(angle)]
  })

  it('is unchanged if valid', () => {
    const geometry = { type: 'Polygon' as const, coordinates: [[...ring, ring[0] ?? []]] }
    const started = performance.now()
    expect(repairShape(geometry).geometry).toBe(geometry)
    expect(performance.now() - started).toBeLessThan(10_000)
  }, 60_000)

  it('is repaired if two of its vertices are swapped', () => {
    const swapped = ring.slice()
    ;[swapped[500], swapped[50_000]] = [swapped[50_000] ?? [], swapped[500] ?? []]
    const started = performance.now()
    const { geometry } = repairShape({ type: 'Polygon', coordinates: [[...swapped, swapped[0] ?? []]] })
    expect(geometry?.type).toBe('MultiPolygon')
    expect(performance.now() - started).toBeLessThan(20_000)
  }, 60_000)
})

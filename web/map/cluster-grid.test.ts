import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clusterGrid } from './cluster-grid.ts'

const place = fc.tuple(
  fc.double({ min: -75.3, max: -75, noNaN: true }),
  fc.double({ min: 37, max: 37.2, noNaN: true }),
)

it('puts every vehicle with a position into one cluster or none, and clusters do not overlap', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          { weight: 9, arbitrary: place },
          { weight: 1, arbitrary: fc.constant([NaN, NaN] as [number, number]) },
        ),
        { maxLength: 120 },
      ),
      fc.integer({ min: 16, max: 25 }),
      fc.boolean(),
      (places, halves, everySecond) => {
        const zoom = halves / 2
        const [lon, lat] = [Float64Array.from(places, ([x]) => x), Float64Array.from(places, ([, y]) => y)]
        const handles = Uint32Array.from(places.keys()).filter((handle) => !everySecond || handle % 2 === 0)
        const { alone, clusters } = clusterGrid({ lon, lat }, handles, zoom)
        const placed = [...handles].filter((handle) => !Number.isNaN(lon[handle]))
        expect(clusters.reduce((sum, { count }) => sum + count, alone.length)).toBe(placed.length)
        expect(clusters.every(({ count }) => count > 1)).toBe(true)
        expect(new Set(alone).size).toBe(alone.length)
        expect([...alone].every((handle) => placed.includes(handle))).toBe(true)
        const pixels = (x: number, y: number): [number, number] => [
          ((x + 180) / 360) * 512 * 2 ** zoom,
          (0.5 - Math.log(Math.tan(Math.PI / 4 + (y * Math.PI) / 360)) / (2 * Math.PI)) * 512 * 2 ** zoom,
        ]
        const marks = [
          ...clusters.map((cluster) => pixels(cluster.lon, cluster.lat)),
          ...[...alone].map((handle) => pixels(lon[handle]!, lat[handle]!)),
        ]
        for (const [at, [x, y]] of marks.entries())
          for (const [x2, y2] of marks.slice(at + 1))
            expect(Math.hypot(x - x2, y - y2)).toBeGreaterThanOrEqual(45.99)
      },
    ),
  )
})

it('clusters 50,000 vehicles in a single pass', () => {
  const count = 50_000
  const lon = Float64Array.from({ length: count }, (_, at) => -75 + ((at * 7919) % 10_007) / 50_000)
  const lat = Float64Array.from({ length: count }, (_, at) => 37 + ((at * 104_729) % 9_973) / 60_000)
  const start = performance.now()
  const { alone, clusters } = clusterGrid({ lon, lat }, Uint32Array.from(lon.keys()), 12)
  expect(clusters.reduce((sum, cluster) => sum + cluster.count, alone.length)).toBe(count)
  // Takes about 5 ms; the limit only catches quadratic time.
  expect(performance.now() - start).toBeLessThan(1000)
})

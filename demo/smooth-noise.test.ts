import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeSmoothNoise } from './smooth-noise.ts'

test('Smooth noise is between -1 and 1, deterministic and smooth', () => {
  const place = fc.double({ min: -50, max: 50, noNaN: true })
  fc.assert(
    fc.property(fc.integer(), place, place, (seed, x, y) => {
      const noise = computeSmoothNoise(seed, x, y)
      expect(Math.abs(noise)).toBeLessThanOrEqual(1)
      expect(computeSmoothNoise(seed, x, y)).toBe(noise)
      expect(Math.abs(computeSmoothNoise(seed, x + 0.001, y) - noise)).toBeLessThan(0.01)
    }),
  )
})

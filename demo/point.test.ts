import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDegrees } from './point.ts'

const meters = fc.integer({ min: -5000, max: 5000 })

test('toDegrees converts meters to degrees with 6 decimals and an error below 0.1 m', () => {
  expect(toDegrees(-75.2, 37.05, [0, 0])).toEqual([-75.2, 37.05])
  fc.assert(
    fc.property(meters, meters, (x, y) => {
      const [lon, lat] = toDegrees(-75.2, 37.05, [x, y])
      expect(Math.abs((lat - 37.05) * 111_195 - y)).toBeLessThan(0.1)
      expect(Math.abs((lon + 75.2) * 111_195 * Math.cos((37.05 * Math.PI) / 180) - x)).toBeLessThan(0.1)
      for (const degrees of [lon, lat]) expect(Math.round(degrees * 1e6) / 1e6).toBe(degrees)
    }),
  )
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { colorOnPanel, computeContrast, minGraphicsContrast } from './contrast.ts'
import { tokens } from './theme.ts'

it.each([
  ['#000000', '#FFFFFF', 21],
  ['#777777', '#FFFFFF', 4.48],
  ['#0B7A75', '#0B7A75', 1],
])('%s and %s have a contrast of %d', (a, b, expected) =>
  expect(computeContrast(a, b)).toBeCloseTo(expected, 2),
)

it('any color gets enough contrast on dark panels, and is unchanged if it has enough', () => {
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(color, (original) => {
      const onPanel = colorOnPanel(original, 'dark')
      expect(computeContrast(onPanel, tokens.dark.panel)).toBeGreaterThanOrEqual(minGraphicsContrast)
      const hasContrast = computeContrast(original, tokens.dark.panel) >= minGraphicsContrast
      expect(onPanel === original).toBe(hasContrast)
      expect(colorOnPanel(original, 'light')).toBe(original)
    }),
  )
})

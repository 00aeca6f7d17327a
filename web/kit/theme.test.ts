import { describe, expect, it } from 'vitest'
import { computeContrast, computeLuminance } from './contrast.ts'
import { bar, dataColors, tokens, type BinColors, type Scheme } from './theme.ts'

const schemes: Scheme[] = ['light', 'dark']

describe.each(schemes)('%s scheme', (scheme) => {
  const colors = tokens[scheme]

  it.each(['ink', 'slate', 'quiet', 'hint', 'teal', 'red', 'green', 'amber'] as const)(
    '%s reads on panel and mist',
    (role) => {
      expect(computeContrast(colors[role], colors.panel)).toBeGreaterThanOrEqual(4.5)
      expect(computeContrast(colors[role], colors.mist)).toBeGreaterThanOrEqual(4.5)
    },
  )

  it.each([
    ['teal', 'tealWash'],
    ['amber', 'amberWash'],
    ['red', 'redWash'],
    ['green', 'greenWash'],
    ['ink', 'redWash'],
    ['ink', 'amberWash'],
  ] as const)('%s has enough contrast on %s', (text, background) => {
    expect(computeContrast(colors[text], colors[background])).toBeGreaterThanOrEqual(4.5)
  })

  it('buttons and edges of controls have enough contrast', () => {
    expect(
      computeContrast(colors.onTeal, scheme === 'light' ? colors.teal : colors.brightTeal),
    ).toBeGreaterThanOrEqual(4.5)
    expect(computeContrast(colors.edge, colors.panel)).toBeGreaterThanOrEqual(3)
  })

  it.each(Object.entries(dataColors[scheme].sequential))(
    '%s distinguishes seven bins by lightness alone; the highest contrasts most with the background',
    (_, bins: BinColors) => {
      const steps = bins.map(computeLuminance)
      const rising = steps.every((step, index) => index === 0 || step > (steps[index - 1] ?? 0))
      const falling = steps.every((step, index) => index === 0 || step < (steps[index - 1] ?? 0))
      expect(scheme === 'light' ? falling : rising).toBe(true)
    },
  )
})

it('the top bar has enough contrast', () => {
  expect(computeContrast(bar.text, bar.back)).toBeGreaterThanOrEqual(4.5)
  expect(computeContrast(bar.quiet, bar.raised)).toBeGreaterThanOrEqual(4.5)
  expect(computeContrast(bar.alarm, bar.back)).toBeGreaterThanOrEqual(4.5)
  expect(computeContrast(bar.text, bar.viewing)).toBeGreaterThanOrEqual(4.5)
  expect(computeContrast(tokens.light.brightTeal, bar.back)).toBeGreaterThanOrEqual(4.5)
})

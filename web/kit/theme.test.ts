import { describe, expect, it } from 'vitest'
import { bar, dataColors, tokens, type BinColors, type Scheme } from './theme.ts'

const channel = (hex: string, at: number): number => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
const luminance = (hex: string): number =>
  0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5)
const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}
const schemes: Scheme[] = ['light', 'dark']

describe.each(schemes)('%s scheme', (scheme) => {
  const of = tokens[scheme]

  it.each(['ink', 'slate', 'quiet', 'hint', 'teal', 'red', 'green', 'amber'] as const)(
    '%s reads on panel and mist',
    (role) => {
      expect(contrast(of[role], of.panel)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(of[role], of.mist)).toBeGreaterThanOrEqual(4.5)
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
    expect(contrast(of[text], of[background])).toBeGreaterThanOrEqual(4.5)
  })

  it('buttons and edges of controls have enough contrast', () => {
    expect(contrast(of.onTeal, scheme === 'light' ? of.teal : of.brightTeal)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(of.edge, of.panel)).toBeGreaterThanOrEqual(3)
  })

  it.each(Object.entries(dataColors[scheme].sequential))(
    '%s tells seven bins apart by lightness alone, the fullest farthest from the ground',
    (_, bins: BinColors) => {
      const steps = bins.map(luminance)
      const rising = steps.every((step, at) => at === 0 || step > (steps[at - 1] ?? 0))
      const falling = steps.every((step, at) => at === 0 || step < (steps[at - 1] ?? 0))
      expect(scheme === 'light' ? falling : rising).toBe(true)
    },
  )
})

it('the top bar has enough contrast', () => {
  expect(contrast(bar.text, bar.back)).toBeGreaterThanOrEqual(4.5)
  expect(contrast(bar.quiet, bar.raised)).toBeGreaterThanOrEqual(4.5)
  expect(contrast(bar.alarm, bar.back)).toBeGreaterThanOrEqual(4.5)
  expect(contrast(bar.text, bar.viewing)).toBeGreaterThanOrEqual(4.5)
  expect(contrast(tokens.light.brightTeal, bar.back)).toBeGreaterThanOrEqual(4.5)
})

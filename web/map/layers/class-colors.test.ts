import {
  converter,
  differenceCiede2000,
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  filterDeficiencyTrit,
  type Rgb,
} from 'culori'
import { describe, expect, it } from 'vitest'
import { computeContrast, minGraphicsContrast } from '#web/kit/contrast.ts'
import { dataColors, type Scheme, valueOpacity } from '#web/kit/theme.ts'
import { basemapPalette } from '../rendering/basemap-palette.ts'

/** Smallest difference of neighboring classes, in CIEDE2000 (decision 028). */
const minDifference = 10

const rgb = converter('rgb')
const lrgb = converter('lrgb')
const lab = converter('lab65')
const difference = differenceCiede2000()

/** Simulates complete color blindness (Machado et al. 2009); the matrices apply to linear light. */
const simulate =
  (filter: (color: Rgb) => Rgb) =>
  (color: Rgb): Rgb => {
    const { r, g, b } = lrgb(color)
    const simulated = filter({ mode: 'rgb', r, g, b })
    return rgb({ mode: 'lrgb', r: clamp(simulated.r), g: clamp(simulated.g), b: clamp(simulated.b) })
  }
const clamp = (channel: number): number => Math.min(1, Math.max(0, channel))

const visionTypes = {
  'full color vision': (color: Rgb): Rgb => color,
  protanopia: simulate(filterDeficiencyProt(1)),
  deuteranopia: simulate(filterDeficiencyDeuter(1)),
  tritanopia: simulate(filterDeficiencyTrit(1)),
}

/** The color of a class over a basemap color, with the opacity of values. */
function blend(color: string, background: string): Rgb {
  const [above, below] = [rgb(color)!, rgb(background)!]
  const mix = (a: number, b: number): number => a * valueOpacity + b * (1 - valueOpacity)
  return { mode: 'rgb', r: mix(above.r, below.r), g: mix(above.g, below.g), b: mix(above.b, below.b) }
}

const cases = (['light', 'dark'] as const).flatMap((scheme) =>
  (['land', 'park', 'water', 'building', 'background'] as const).flatMap((surface) =>
    Object.entries(visionTypes).map(([name, perceive]) => ({ scheme, surface, name, perceive })),
  ),
)

/** Differences of neighboring classes over a basemap color. */
const differences = (
  colors: readonly string[],
  perceive: (color: Rgb) => Rgb,
  background: string,
): number[] => {
  const perceived = colors.map((color) => perceive(blend(color, background)))
  return perceived.slice(1).map((color, index) => difference(perceived[index]!, color))
}
const lightness = (colors: readonly string[], perceive: (color: Rgb) => Rgb, background: string): number[] =>
  colors.map((color) => lab(perceive(blend(color, background))).l)
const isRising = (values: readonly number[]): boolean =>
  values.every((value, index) => index === 0 || value > values[index - 1]!)
const fromFewToMany = (values: number[], scheme: Scheme): number[] =>
  scheme === 'light' ? values.toReversed() : values

describe.each(['tide', 'dusk', 'clay'] as const)('%s', (name) => {
  it.each(cases)(
    'has distinct classes in order of lightness: $scheme, $surface, $name',
    ({ scheme, surface, perceive }) => {
      const colors = dataColors[scheme].sequential[name]
      const background = basemapPalette[scheme][surface]
      expect(Math.min(...differences(colors, perceive, background))).toBeGreaterThanOrEqual(minDifference)
      expect(isRising(fromFewToMany(lightness(colors, perceive, background), scheme))).toBe(true)
    },
  )
  it.each(['light', 'dark'] as const)('has a lowest class that differs from the land: %s', (scheme) => {
    const { land } = basemapPalette[scheme]
    for (const perceive of Object.values(visionTypes))
      expect(
        difference(perceive(blend(dataColors[scheme].sequential[name][0], land)), perceive(rgb(land)!)),
      ).toBeGreaterThanOrEqual(4.5)
  })
})

describe.each(Object.entries(dataColors.dark.lines))('lines along streets in %s', (_, colors) => {
  it.each(Object.entries(visionTypes))(
    'have distinct classes in order of lightness: %s',
    (_vision, perceive) => {
      const perceived = colors.map((color) => perceive(rgb(color)!))
      for (const [index, color] of perceived.slice(1).entries())
        expect(difference(perceived[index]!, color)).toBeGreaterThanOrEqual(minDifference)
      expect(isRising(perceived.map((color) => lab(color).l))).toBe(true)
    },
  )
  it('are all visible on the dark map', () => {
    for (const color of colors)
      expect(computeContrast(color, basemapPalette.dark.land)).toBeGreaterThanOrEqual(minGraphicsContrast)
  })
})

describe('changes', () => {
  it.each(cases)(
    'have distinct classes, the middle one nearest to the land: $scheme, $surface, $name',
    ({ scheme, surface, perceive }) => {
      const colors = dataColors[scheme].diverging
      const background = basemapPalette[scheme][surface]
      expect(Math.min(...differences(colors, perceive, background))).toBeGreaterThanOrEqual(minDifference)
      const levels = lightness(colors, perceive, background)
      for (const side of [levels.slice(0, 4).toReversed(), levels.slice(3)])
        expect(isRising(scheme === 'light' ? side.toReversed() : side)).toBe(true)
    },
  )
})

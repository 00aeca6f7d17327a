import {
  converter,
  differenceCiede2000,
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  filterDeficiencyTrit,
  type Rgb,
} from 'culori'
import { describe, expect, it } from 'vitest'
import { dataColors, type Scheme, valueOpacity } from '#web/kit/theme.ts'
import { basemapPalette } from '../rendering/basemap-palette.ts'

/** Smallest difference of neighboring classes, in CIEDE2000 (decision 028). */
const minDifference = 10

const rgb = converter('rgb')
const lrgb = converter('lrgb')
const lab = converter('lab65')
const difference = differenceCiede2000()

/** Simulates complete color blindness (Machado et al. 2009), of which the matrices apply to linear light. */
const simulate =
  (filter: (color: Rgb) => Rgb) =>
  (color: Rgb): Rgb => {
    const { r, g, b } = lrgb(color)
    const seen = filter({ mode: 'rgb', r, g, b })
    return rgb({ mode: 'lrgb', r: clamp(seen.r), g: clamp(seen.g), b: clamp(seen.b) })
  }
const clamp = (channel: number): number => Math.min(1, Math.max(0, channel))

const visions = {
  'full color vision': (color: Rgb): Rgb => color,
  protanopia: simulate(filterDeficiencyProt(1)),
  deuteranopia: simulate(filterDeficiencyDeuter(1)),
  tritanopia: simulate(filterDeficiencyTrit(1)),
}

/** A class as it is drawn over the basemap. */
function blend(color: string, ground: string): Rgb {
  const [above, below] = [rgb(color)!, rgb(ground)!]
  const mix = (a: number, b: number): number => a * valueOpacity + b * (1 - valueOpacity)
  return { mode: 'rgb', r: mix(above.r, below.r), g: mix(above.g, below.g), b: mix(above.b, below.b) }
}

const cases = (['light', 'dark'] as const).flatMap((scheme) =>
  (['land', 'park', 'water', 'building', 'background'] as const).flatMap((ground) =>
    Object.entries(visions).map(([name, see]) => ({ scheme, ground, name, see })),
  ),
)

/** Differences of neighboring classes on a ground. */
const differences = (colors: readonly string[], see: (color: Rgb) => Rgb, ground: string): number[] => {
  const seen = colors.map((color) => see(blend(color, ground)))
  return seen.slice(1).map((color, index) => difference(seen[index]!, color))
}
const lightness = (colors: readonly string[], see: (color: Rgb) => Rgb, ground: string): number[] =>
  colors.map((color) => lab(see(blend(color, ground))).l)
const isRising = (values: readonly number[]): boolean =>
  values.every((value, index) => index === 0 || value > values[index - 1]!)
const towardData = (values: number[], scheme: Scheme): number[] =>
  scheme === 'light' ? values.toReversed() : values

describe.each(['tide', 'dusk', 'clay'] as const)('%s', (name) => {
  it.each(cases)(
    'has distinct classes in order of lightness: $scheme, $ground, $name',
    ({ scheme, ground, see }) => {
      const colors = dataColors[scheme].sequential[name]
      const below = basemapPalette[scheme][ground]
      expect(Math.min(...differences(colors, see, below))).toBeGreaterThanOrEqual(minDifference)
      expect(isRising(towardData(lightness(colors, see, below), scheme))).toBe(true)
    },
  )
  it.each(['light', 'dark'] as const)('has a lowest class that differs from the land: %s', (scheme) => {
    const { land } = basemapPalette[scheme]
    for (const see of Object.values(visions))
      expect(
        difference(see(blend(dataColors[scheme].sequential[name][0], land)), see(rgb(land)!)),
      ).toBeGreaterThanOrEqual(4.5)
  })
})

describe('changes', () => {
  it.each(cases)(
    'have distinct classes, the middle one nearest to the land: $scheme, $ground, $name',
    ({ scheme, ground, see }) => {
      const colors = dataColors[scheme].diverging
      const below = basemapPalette[scheme][ground]
      expect(Math.min(...differences(colors, see, below))).toBeGreaterThanOrEqual(minDifference)
      const levels = lightness(colors, see, below)
      for (const side of [levels.slice(0, 4).toReversed(), levels.slice(3)])
        expect(isRising(scheme === 'light' ? side.toReversed() : side)).toBe(true)
    },
  )
})

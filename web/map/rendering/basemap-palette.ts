import { dataColors, tokens, type Scheme } from '#web/kit/theme.ts'
import { parseHexColor } from '../layers/colors.ts'

/** Mixes two hex colors; `share` is the share of the second. */
function mix(first: string, second: string, share: number): string {
  const secondChannels = parseHexColor(second)
  const mixed = parseHexColor(first).map((value, index) =>
    Math.round(value + (secondChannels[index]! - value) * share),
  )
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** Colors of the basemap: nearly gray and similar to each other, so that data is prominent. */
export interface BasemapPalette {
  /** Color outside of all land. */
  background: string
  land: string
  park: string
  parkLine: string
  water: string
  waterLine: string
  casing: string
  freewayCasing: string
  building: string
  rail: string
  path: string
  local: string
  collector: string
  arterial: string
  freeway: string
  text: string
  parkText: string
  waterText: string
  streetText: string
  textHalo: string
}

function createLightPalette(): BasemapPalette {
  const { mist, line, slate, green, panel, ink, amber, quiet } = tokens.light
  const blue = dataColors.light.categorical[0]!
  return {
    background: mix(mist, line, 0.6),
    land: mist,
    park: mix(mist, green, 0.11),
    parkLine: mix(mist, green, 0.2),
    water: mix(line, blue, 0.12),
    waterLine: mix(line, blue, 0.22),
    building: mix(mist, line, 0.55),
    rail: mix(line, slate, 0.2),
    path: mix(line, slate, 0.16),
    casing: mix(line, slate, 0.04),
    freewayCasing: mix(line, slate, 0.2),
    local: panel,
    collector: panel,
    arterial: panel,
    freeway: mix(panel, amber, 0.09),
    text: mix(slate, ink, 0.6),
    parkText: mix(green, slate, 0.55),
    waterText: mix(blue, slate, 0.5),
    streetText: quiet,
    textHalo: panel,
  }
}

function createDarkPalette(): BasemapPalette {
  const { mist, line, slate, green, panel, ink, amber, quiet } = tokens.dark
  const blue = dataColors.dark.categorical[0]!
  const night = dataColors.dark.halo
  return {
    background: mix(night, mist, 0.4),
    land: mist,
    park: mix(mist, green, 0.09),
    parkLine: mix(mist, green, 0.16),
    water: mix(night, blue, 0.09),
    waterLine: mix(night, blue, 0.2),
    building: mix(mist, panel, 0.6),
    rail: mix(line, slate, 0.12),
    path: mix(panel, line, 0.8),
    casing: mix(mist, night, 0.7),
    freewayCasing: mix(mist, night, 0.9),
    local: mix(panel, line, 0.35),
    collector: mix(panel, line, 0.6),
    arterial: mix(panel, line, 0.9),
    freeway: mix(line, amber, 0.14),
    text: mix(slate, ink, 0.6),
    parkText: mix(green, slate, 0.55),
    waterText: mix(blue, slate, 0.5),
    streetText: quiet,
    textHalo: night,
  }
}

export const basemapPalette: Record<Scheme, BasemapPalette> = {
  light: createLightPalette(),
  dark: createDarkPalette(),
}

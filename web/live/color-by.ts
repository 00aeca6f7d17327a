import { type LiveState, liveStateNames } from '#contract/vehicles.ts'
import { colorOnPanel } from '#web/kit/contrast.ts'
import { dataColors, type Scheme, tokens } from '#web/kit/theme.ts'

export const colorings = ['operator', 'state', 'battery'] as const
/** What the colors of vehicles represent. */
export type Coloring = (typeof colorings)[number]

/** Colors of states, all different from the operators' theme colors. */
export const stateColors = (scheme: Scheme): Record<LiveState, string> => {
  const { secondary, noData } = dataColors[scheme]
  return {
    available: secondary[0]!,
    reserved: secondary[1]!,
    on_trip: secondary[2]!,
    non_operational: secondary[3]!,
    stopped: secondary[4]!,
    non_contactable: secondary[5]!,
    missing: secondary[6]!,
    removed: noData,
    elsewhere: noData,
    lost: noData,
  }
}

/** Lower bounds of the battery bands in percent. */
export const batteryBands = [0, 10, 25, 50, 75] as const

/** Returns the colors of bands of battery charge, from empty to full. */
export const batteryColors = (scheme: Scheme): readonly string[] => {
  const { categorical, sequential } = dataColors[scheme]
  return [
    tokens[scheme].red,
    categorical[1]!,
    categorical[5]!,
    sequential.tide[3],
    sequential.tide[scheme === 'light' ? 5 : 6],
  ]
}

/** Returns the index of the band of a battery charge in percent. */
export const getBatteryBand = (battery: number): number =>
  batteryBands.findLastIndex((from) => battery >= from)

const parseChannels = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
/** Returns the Euclidean distance of two colors such as `#0a7f5c` in RGB. */
const getDistance = (a: string, b: string): number =>
  Math.hypot(...parseChannels(a).map((channel, index) => channel - parseChannels(b)[index]!))

/** Colors of operators: their own, else the theme color that differs most from all others. */
export function operatorColors(
  slugs: readonly string[],
  ownColors: ReadonlyMap<string, string>,
  scheme: Scheme,
): ReadonlyMap<string, string> {
  const colors = new Map<string, string>()
  const usedColors = slugs.flatMap((slug) => ownColors.get(slug) ?? [])
  for (const slug of slugs.toSorted()) {
    const ownColor = ownColors.get(slug)
    const color =
      (ownColor && colorOnPanel(ownColor, scheme)) ??
      dataColors[scheme].categorical.toSorted(
        (a, b) => distanceToNearest(b, usedColors) - distanceToNearest(a, usedColors),
      )[0]!
    usedColors.push(color)
    colors.set(slug, color)
  }
  return colors
}

/** More than the distance of any two colors; used while there are no others. */
const maxColorDistance = 1000
const distanceToNearest = (color: string, others: readonly string[]): number =>
  Math.min(maxColorDistance, ...others.map((other) => getDistance(color, other)))

/** The display order of states. */
export const stateOrder: readonly LiveState[] = liveStateNames

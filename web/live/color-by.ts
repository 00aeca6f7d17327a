import { type LiveState, liveStateNames } from '#contract/vehicles.ts'
import { colorOnPanel } from '#web/kit/contrast.ts'
import { dataColors, type Scheme, tokens } from '#web/kit/theme.ts'

export const colorings = ['operator', 'state', 'battery'] as const
/** What the colors of vehicles represent. */
export type Coloring = (typeof colorings)[number]

/** Colors of states, all different from the operators' theme colors. */
export const stateColors = (scheme: Scheme): Record<LiveState, string> => {
  const { secondary, noData } = dataColors[scheme]
  const [available, reserved, on_trip, non_operational, stopped, non_contactable, missing] = secondary as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  return {
    available,
    reserved,
    on_trip,
    non_operational,
    stopped,
    non_contactable,
    missing,
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

/** Returns the band of a battery charge. */
export const getBatteryBand = (battery: number): number =>
  batteryBands.findLastIndex((from) => battery >= from)

const channels = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
const getDistance = (a: string, b: string): number =>
  Math.hypot(...channels(a).map((channel, index) => channel - channels(b)[index]!))

/** Colors of operators: their own, else the theme color that differs most from all others. */
export function operatorColors(
  slugs: readonly string[],
  known: ReadonlyMap<string, string>,
  scheme: Scheme,
): ReadonlyMap<string, string> {
  const colors = new Map<string, string>()
  const used = slugs.flatMap((slug) => known.get(slug) ?? [])
  for (const slug of slugs.toSorted()) {
    const selected = known.get(slug)
    const color =
      (selected && colorOnPanel(selected, scheme)) ??
      dataColors[scheme].categorical.toSorted((a, b) => nearest(b, used) - nearest(a, used))[0]!
    used.push(color)
    colors.set(slug, color)
  }
  return colors
}

const nearest = (color: string, others: readonly string[]): number =>
  Math.min(1000, ...others.map((other) => getDistance(color, other)))

/** The display order of states. */
export const stateOrder: readonly LiveState[] = liveStateNames

import type { Bounds } from './rule.ts'

export function isWithin(
  { minimum, maximum, inclusiveMinimum, inclusiveMaximum }: Bounds,
  value: number,
): boolean {
  return (
    (inclusiveMinimum ? value >= minimum : value > minimum) &&
    (inclusiveMaximum ? value <= maximum : value < maximum)
  )
}

/** Whether a value exceeds the upper bound. */
export const isOver = ({ maximum, inclusiveMaximum }: Bounds, value: number): boolean =>
  inclusiveMaximum ? value > maximum : value >= maximum

/** Returns the largest count within the upper bound. */
export const getMaxCount = ({ maximum, inclusiveMaximum }: Bounds): number =>
  Math.max(0, inclusiveMaximum ? Math.floor(maximum) : Math.ceil(maximum) - 1)

/** Returns the smallest count within the lower bound. */
export const getMinCount = ({ minimum, inclusiveMinimum }: Bounds): number =>
  Math.max(0, inclusiveMinimum ? Math.ceil(minimum) : Math.floor(minimum) + 1)

/** Removes errors of unit conversion by rounding to nine decimals: 15 mph are exactly 6.7056 m/s. */
export const roundToNineDecimals = (value: number): number => Math.round(value * 1e9) / 1e9

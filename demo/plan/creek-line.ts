import type { Point } from '../plane/point.ts'

/** Cooper Creek, from its source in the south to where it joins the river. */
export const creekLine: readonly Point[] = [
  [-4800, -14000],
  [-4100, -10000],
  [-3700, -7200],
  [-3550, -5600],
  [-3750, -4500],
  [-3550, -3500],
  [-3300, -2500],
  [-3450, -1500],
  [-3800, -700],
  [-3750, 100],
  [-3620, 800],
  [-3500, 1750],
]

/** Metres from bank to bank. */
export const creekWidth = 46

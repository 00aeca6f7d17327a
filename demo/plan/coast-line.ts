import type { Point } from '../plane/point.ts'

/** The ocean shore from the north to the south end of the map, without the river mouth. Land lies to its west. */
export const coastLine: readonly Point[] = [
  [17500, 33000],
  [15500, 25000],
  [12600, 17500],
  [10600, 12000],
  [9300, 8800],
  [8300, 6700],
  [7550, 4800],
  [7250, 3300],
  [7300, 1900],
  [6950, 600],
  [6500, -500],
  [6420, -1300],
  [6300, -2100],
  [5900, -2900],
  [5700, -3700],
  [6150, -4400],
  [6250, -5300],
  [5750, -6300],
  [5350, -7600],
  [5900, -9500],
  [7100, -12500],
  [9400, -17500],
  [9800, -22500],
  [11500, -33000],
]

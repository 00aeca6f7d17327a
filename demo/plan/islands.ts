import type { Point } from '../plane/point.ts'

/** A piece of land in the water. */
export interface Island {
  name: string
  shore: readonly Point[]
}

export const islands: readonly Island[] = [
  {
    name: 'Gull Island',
    shore: [
      [3780, -2120],
      [4200, -2160],
      [4800, -2330],
      [5500, -2600],
      [5900, -2860],
      [5600, -3040],
      [4950, -2930],
      [4350, -2640],
      [3900, -2370],
    ],
  },
  {
    name: 'Sentinel Key',
    shore: [
      [7350, -3350],
      [7700, -3150],
      [8050, -3450],
      [8150, -4100],
      [8050, -4900],
      [7800, -5500],
      [7600, -5350],
      [7680, -4700],
      [7560, -4000],
    ],
  },
  {
    name: 'Little Sentinel',
    shore: [
      [8800, 1100],
      [9080, 1320],
      [9180, 1800],
      [9060, 2350],
      [8880, 2500],
      [8830, 1900],
    ],
  },
  {
    name: 'Mill Island',
    shore: [
      [-6300, -690],
      [-5950, -500],
      [-5560, -240],
      [-5380, -60],
      [-5500, -60],
      [-5760, -210],
      [-6060, -430],
      [-6300, -600],
    ],
  },
]

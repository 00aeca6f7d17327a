import type { Point } from '../plane/point.ts'

/** Standing water within parks. */
export const ponds: readonly { name: string; shore: readonly Point[] }[] = [
  {
    name: 'Lake Ames',
    shore: [
      [-6750, -3800],
      [-6400, -3680],
      [-6150, -3850],
      [-6300, -4080],
      [-6620, -4230],
      [-6830, -4080],
    ],
  },
  {
    name: 'Swan Pond',
    shore: [
      [-1900, -700],
      [-1620, -640],
      [-1500, -780],
      [-1700, -930],
      [-2020, -900],
    ],
  },
  {
    name: 'Marsh Pond',
    shore: [
      [5300, 4800],
      [5500, 4740],
      [5640, 4950],
      [5560, 5200],
      [5330, 5100],
    ],
  },
]

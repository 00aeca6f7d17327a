import type { Point } from '../plane/point.ts'

/** An area without through streets. */
export interface ParkArea {
  name: string
  kind: 'park' | 'campus' | 'cemetery' | 'golf' | 'nature'
  /** Ponds have soft shores; everything else keeps its corners. */
  edge: readonly Point[]
}

export const parkPlan: readonly ParkArea[] = [
  {
    name: 'Meridian Park',
    kind: 'park',
    edge: [
      [-1180, -640],
      [-1160, -1330],
      [-2480, -1450],
      [-2560, -480],
      [-2050, -190],
    ],
  },
  {
    name: 'Tidewater University',
    kind: 'campus',
    edge: [
      [-2620, -200],
      [-2480, 780],
      [-3060, 1000],
      [-3420, 230],
      [-2860, -190],
    ],
  },
  {
    name: 'Court House Square',
    kind: 'park',
    edge: [
      [-180, 720],
      [60, 740],
      [40, 960],
      [-200, 940],
    ],
  },
  {
    name: 'Lake Ames Park',
    kind: 'park',
    edge: [
      [-7020, -3800],
      [-7000, -4480],
      [-6150, -4300],
      [-5950, -3750],
      [-6200, -3470],
      [-6950, -3480],
    ],
  },
  {
    name: 'Greenmount Cemetery',
    kind: 'cemetery',
    edge: [
      [-1250, 4060],
      [-450, 4080],
      [-380, 4640],
      [-1150, 4620],
    ],
  },
  {
    name: 'Fort Sewall',
    kind: 'park',
    edge: [
      [5900, -1200],
      [6700, -900],
      [6700, -2300],
      [5800, -2100],
    ],
  },
  {
    name: 'Marsh Creek Preserve',
    kind: 'nature',
    edge: [
      [5050, 4560],
      [5750, 4560],
      [5990, 5400],
      [5050, 5440],
    ],
  },
  {
    name: 'Westgate Golf Club',
    kind: 'golf',
    edge: [
      [-6850, -2500],
      [-5900, -2450],
      [-5750, -3200],
      [-6850, -3280],
    ],
  },
  {
    name: 'Quarry Hill Park',
    kind: 'nature',
    edge: [
      [-6650, 2650],
      [-5800, 3000],
      [-5600, 3900],
      [-6050, 4050],
      [-6420, 3300],
    ],
  },
  {
    name: 'Southfield Park',
    kind: 'park',
    edge: [
      [-2750, -4250],
      [-1650, -4280],
      [-1780, -4900],
      [-2850, -4900],
    ],
  },
  {
    name: 'Harbor State College',
    kind: 'campus',
    edge: [
      [2680, 1700],
      [2950, 1900],
      [3080, 2640],
      [2250, 2650],
      [2150, 1900],
    ],
  },
  {
    name: 'Founders Park',
    kind: 'park',
    edge: [
      [2250, -4320],
      [3100, -4330],
      [3150, -4700],
      [2420, -4680],
    ],
  },
  {
    name: 'Cranberry Fields',
    kind: 'park',
    edge: [
      [420, 5050],
      [1700, 5080],
      [1750, 5580],
      [450, 5600],
    ],
  },
  {
    name: 'Meridian State Forest',
    kind: 'nature',
    edge: [
      [-21500, -4600],
      [-14500, -4200],
      [-14200, -8600],
      [-16800, -9000],
      [-21800, -8800],
    ],
  },
  {
    name: 'Great Pocosin Refuge',
    kind: 'nature',
    edge: [
      [-22500, -11000],
      [-14200, -10300],
      [-13600, -17700],
      [-17500, -18400],
      [-22400, -18600],
      [-20900, -14700],
    ],
  },
  {
    name: 'Chapel Woods',
    kind: 'nature',
    edge: [
      [-13200, 10200],
      [-9300, 11700],
      [-6300, 14000],
      [-9800, 18800],
      [-17500, 19800],
      [-15200, 13500],
    ],
  },
  {
    name: 'Seaside Marsh',
    kind: 'nature',
    edge: [
      [8600, 10200],
      [9350, 10100],
      [11300, 15000],
      [10700, 15700],
      [9200, 14300],
    ],
  },
  {
    name: 'Creek Farm Preserve',
    kind: 'nature',
    edge: [
      [-3000, -9700],
      [-700, -9600],
      [-1200, -13800],
      [-3300, -14200],
      [-3200, -11800],
    ],
  },
  {
    name: 'Southern Dunes',
    kind: 'nature',
    edge: [
      [5300, -9600],
      [5750, -9700],
      [7100, -13100],
      [6400, -13500],
    ],
  },
]

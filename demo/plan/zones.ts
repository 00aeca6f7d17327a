import type { Point } from '../plane/point.ts'

/** A part of the city that was laid out at one time: one district, one grid of streets. */
export interface Zone {
  district: string
  bank: 'north' | 'south'
  /** The zone of a place is that of the nearest seed on its bank. */
  seeds: readonly Point[]
  /** Degrees counter-clockwise from east; undefined where the streets follow the river. */
  angle: number | undefined
  /** Metres between the streets that run along the angle, and between those across it. */
  spacing: readonly [number, number]
  /** Metres by which the streets sway, and the length of the sway. */
  sway: readonly [number, number]
  /** Share of the street pieces that were never built or were closed. */
  gaps: number
  /** Every so many streets one is a collector. */
  collectorEvery: number
  /** How the streets along and across are called. */
  naming: 'numbers-and-trees' | 'old' | 'numbers' | 'ships' | 'people' | 'birds' | 'hills'
}

export const zones: readonly Zone[] = [
  {
    district: 'Old Port',
    bank: 'south',
    seeds: [
      [-300, 1000],
      [-1100, 1700],
      [700, 700],
      [400, 0],
    ],
    angle: 21,
    spacing: [88, 118],
    sway: [52, 620],
    gaps: 0.13,
    collectorEvery: 4,
    naming: 'old',
  },
  {
    district: 'Midtown',
    bank: 'south',
    seeds: [
      [-2000, 200],
      [-1700, -1200],
      [-300, -1000],
      [-3100, 900],
      [-3000, -800],
      [-900, -1900],
      [900, -950],
    ],
    angle: 6,
    spacing: [104, 172],
    sway: [25, 1500],
    gaps: 0.06,
    collectorEvery: 4,
    naming: 'numbers-and-trees',
  },
  {
    district: 'Westgate',
    bank: 'south',
    seeds: [
      [-5000, -1500],
      [-6500, -2500],
      [-4600, 200],
      [-6500, -4500],
      [-4800, -3600],
      [-7300, -2000],
    ],
    angle: 0,
    spacing: [128, 236],
    sway: [14, 1800],
    gaps: 0.1,
    collectorEvery: 3,
    naming: 'numbers',
  },
  {
    district: 'Southfield',
    bank: 'south',
    seeds: [
      [-3500, -3700],
      [-2000, -3000],
      [-500, -3600],
      [-3600, -5600],
      [-1200, -5600],
      [-5600, -6000],
      [-700, -4500],
      [-7200, -5800],
    ],
    angle: -9,
    spacing: [120, 210],
    sway: [45, 1300],
    gaps: 0.1,
    collectorEvery: 3,
    naming: 'people',
  },
  {
    district: 'Harborside',
    bank: 'south',
    seeds: [
      [1900, -1500],
      [2500, -3300],
      [3900, -4200],
      [1500, -4600],
      [3200, -5900],
      [5300, -5200],
      [1100, -2700],
    ],
    angle: -29,
    spacing: [132, 240],
    sway: [12, 1500],
    gaps: 0.1,
    collectorEvery: 3,
    naming: 'ships',
  },
  {
    district: 'Northbank',
    bank: 'north',
    seeds: [
      [-2200, 3600],
      [-300, 3400],
      [1300, 2700],
      [-4200, 2800],
      [-600, 4300],
      [2500, 1600],
      [2100, 3700],
    ],
    angle: undefined,
    spacing: [104, 158],
    sway: [16, 1100],
    gaps: 0.07,
    collectorEvery: 4,
    naming: 'numbers-and-trees',
  },
  {
    district: 'Highlands',
    bank: 'north',
    seeds: [
      [-4200, 5000],
      [-6000, 3200],
      [-2000, 5500],
      [600, 5600],
      [2400, 5600],
      [-6000, 1500],
    ],
    angle: 32,
    spacing: [150, 250],
    sway: [115, 950],
    gaps: 0.14,
    collectorEvery: 3,
    naming: 'hills',
  },
  {
    district: 'Eastshore',
    bank: 'north',
    seeds: [
      [3600, 700],
      [4500, 2200],
      [6000, 3600],
      [5200, -1000],
      [4600, 5600],
      [6500, 5800],
      [3500, 3600],
      [2900, -200],
    ],
    angle: -12,
    spacing: [112, 206],
    sway: [22, 1400],
    gaps: 0.07,
    collectorEvery: 4,
    naming: 'birds',
  },
]

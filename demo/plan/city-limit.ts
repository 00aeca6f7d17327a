import type { Point } from '../plane/point.ts'

/** The limit of the city, counter-clockwise. What of it is sea is no part of the city's land. */
export const cityLimit: readonly Point[] = [
  [-7950, -5180],
  [-6420, -5180],
  [-6420, -6480],
  [-2350, -6480],
  [-2350, -6240],
  [2050, -6240],
  [2050, -6480],
  [9900, -6480],
  [9900, 6430],
  [4200, 6430],
  [4200, 6250],
  [1250, 6250],
  [1250, 6480],
  [-4900, 6480],
  [-4900, 5900],
  [-6450, 5900],
  [-6450, 4200],
  [-7400, 4200],
  [-7400, 1500],
  [-7950, 1500],
]

import type { Point } from '../plane/point.ts'
import type { Road } from './road.ts'

/** Ways through the campuses and the great parks on which one may ride. */
export const walks: readonly Road[] = [
  walk('College Walk', [
    [-3420, 250],
    [-2950, 390],
    [-2480, 520],
  ]),
  walk('Commons Walk', [
    [-2920, -210],
    [-2940, 390],
    [-2990, 990],
  ]),
  walk('Founders Walk', [
    [2120, 2260],
    [2600, 2210],
    [3060, 2330],
  ]),
  walk('Library Walk', [
    [2580, 1690],
    [2600, 2210],
    [2570, 2670],
  ]),
  walk('Swan Path', [
    [-2570, -620],
    [-2250, -1080],
    [-1620, -1150],
    [-1150, -980],
  ]),
  walk('Fort Path', [
    [5930, -1190],
    [6200, -1600],
    [6050, -2080],
  ]),
]

function walk(name: string, points: readonly Point[]): Road {
  return { name, class: 'local', bridge: false, points }
}

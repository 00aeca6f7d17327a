import { coastLine } from '../plan/coast-line.ts'
import type { RiverLine } from '../plan/river-line.ts'
import type { StreetClass } from '../plan/road.ts'
import { offsetLine } from '../plane/offset-line.ts'
import type { Point } from '../plane/point.ts'
import { smoothLine } from '../plane/smooth-line.ts'
import type { DrawnLine } from './drawn-line.ts'

/** The drives along river and ocean, each from and to a place along it (metres east for the river, north for the coast). */
export function drawShoreDrives({ middle, width }: RiverLine): DrawnLine[] {
  const north = offsetLine(middle, (i) => width[i]! / 2 + 75)
  const south = offsetLine(middle, (i) => -width[i]! / 2 - 70)
  const port = offsetLine(middle, (i) => -width[i]! / 2 - 430)
  const coast = smoothLine(coastLine, 120)
  const beach = offsetLine(coast, () => -170)
  return [
    drive('River Road', 'collector', part(north, 0, -7700, -4700)),
    drive('North Embankment', 'arterial', part(north, 0, -4900, 2900)),
    drive('Headland Drive', 'collector', part(north, 0, 2700, 5900)),
    drive('Riverside Drive', 'collector', part(south, 0, -7900, -3300)),
    drive('Water Street', 'arterial', part(south, 0, -3700, 2080)),
    drive('Dock Street', 'collector', part(port, 0, 1700, 4200)),
    drive('Beach Boulevard', 'collector', part(beach, 1, -1250, 6500)),
    drive('South Beach Drive', 'collector', part(beach, 1, -6600, -3650)),
  ]
}

function drive(name: string, kind: StreetClass, points: Point[]): DrawnLine {
  return { kind, key: name, name, bridge: name !== 'Dock Street', points }
}

function part(line: readonly Point[], axis: 0 | 1, from: number, until: number): Point[] {
  return line.filter((point) => point[axis] >= from && point[axis] < until)
}

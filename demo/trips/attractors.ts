import type { Point } from '../point.ts'

/** What attracts people. The weights in `rhythm` define at which hours. */
export type Pull = 'work' | 'home' | 'study' | 'leisure' | 'station'

/** A place that attracts people. Its pull decreases with the distance. Positions and radii are in meters. */
export interface Attractor {
  name: string
  pull: Pull
  center: Point
  radius: number
  weight: number
}

export const attractors: readonly Attractor[] = [
  { name: 'Exchange', pull: 'work', center: [150, 950], radius: 900, weight: 10 },
  { name: 'Civic Center', pull: 'work', center: [-700, 300], radius: 700, weight: 5 },
  { name: 'North Ferry offices', pull: 'work', center: [-400, 3150], radius: 700, weight: 3 },
  { name: 'Medical Center', pull: 'work', center: [-1900, -1900], radius: 500, weight: 3 },
  { name: 'Dockyard', pull: 'work', center: [2300, -2500], radius: 900, weight: 2 },
  { name: 'Tidewater University', pull: 'study', center: [-2850, 450], radius: 750, weight: 7 },
  { name: 'Harbor State College', pull: 'study', center: [2650, 2200], radius: 600, weight: 3.5 },
  { name: 'Union Station', pull: 'station', center: [-850, -1150], radius: 330, weight: 9 },
  { name: 'North Ferry', pull: 'station', center: [-250, 2900], radius: 260, weight: 5 },
  { name: 'Garrison Station', pull: 'station', center: [1900, 3300], radius: 300, weight: 4 },
  { name: 'Westgate Station', pull: 'station', center: [-4250, -1300], radius: 300, weight: 3 },
  { name: 'Southfield Station', pull: 'station', center: [-1500, -4150], radius: 300, weight: 3 },
  { name: 'Shoreham Station', pull: 'station', center: [3100, 2200], radius: 300, weight: 3 },
  { name: 'Waterfront', pull: 'leisure', center: [1150, 300], radius: 650, weight: 7 },
  { name: 'Old Port market', pull: 'leisure', center: [-300, 1700], radius: 600, weight: 6 },
  { name: 'Meridian Park', pull: 'leisure', center: [-1850, -1050], radius: 700, weight: 5 },
  { name: 'Ocean beach', pull: 'leisure', center: [7050, 2600], radius: 1100, weight: 6 },
  { name: 'Seabright pier', pull: 'leisure', center: [6750, 200], radius: 600, weight: 5 },
  { name: 'South beach', pull: 'leisure', center: [5900, -5000], radius: 800, weight: 4 },
  { name: 'Boathouse row', pull: 'leisure', center: [-2700, 2700], radius: 600, weight: 3 },
  { name: 'Inner Harbor', pull: 'leisure', center: [1700, -1500], radius: 500, weight: 3 },
  { name: 'Old town homes', pull: 'home', center: [-700, 1300], radius: 1300, weight: 4 },
  { name: 'Embankment homes', pull: 'home', center: [400, 3400], radius: 1500, weight: 3.5 },
  { name: 'Midtown homes', pull: 'home', center: [-2200, -400], radius: 1500, weight: 3.5 },
  { name: 'Shoreham homes', pull: 'home', center: [3600, 900], radius: 1600, weight: 2.5 },
  { name: 'Southfield homes', pull: 'home', center: [-1200, -3300], radius: 1600, weight: 2 },
  { name: 'Ocean homes', pull: 'home', center: [5800, 2500], radius: 1500, weight: 1.5 },
]

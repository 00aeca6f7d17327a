import type { Point } from '../point.ts'

/** What draws people. The weights in `rhythm` define when. */
export type Pull = 'work' | 'home' | 'study' | 'leisure' | 'station'

/** A place that draws people; its pull decreases with the distance. In meters. */
export interface Attractor {
  name: string
  pull: Pull
  at: Point
  radius: number
  weight: number
}

export const attractors: readonly Attractor[] = [
  { name: 'Exchange', pull: 'work', at: [150, 950], radius: 900, weight: 10 },
  { name: 'Civic Center', pull: 'work', at: [-700, 300], radius: 700, weight: 5 },
  { name: 'North Ferry offices', pull: 'work', at: [-400, 3150], radius: 700, weight: 3 },
  { name: 'Medical Center', pull: 'work', at: [-1900, -1900], radius: 500, weight: 3 },
  { name: 'Dockyard', pull: 'work', at: [2300, -2500], radius: 900, weight: 2 },
  { name: 'Tidewater University', pull: 'study', at: [-2850, 450], radius: 750, weight: 7 },
  { name: 'Harbor State College', pull: 'study', at: [2650, 2200], radius: 600, weight: 3.5 },
  { name: 'Union Station', pull: 'station', at: [-850, -1150], radius: 330, weight: 9 },
  { name: 'North Ferry', pull: 'station', at: [-250, 2900], radius: 260, weight: 5 },
  { name: 'Garrison Station', pull: 'station', at: [1900, 3300], radius: 300, weight: 4 },
  { name: 'Westgate Station', pull: 'station', at: [-4250, -1300], radius: 300, weight: 3 },
  { name: 'Southfield Station', pull: 'station', at: [-1500, -4150], radius: 300, weight: 3 },
  { name: 'Shoreham Station', pull: 'station', at: [3100, 2200], radius: 300, weight: 3 },
  { name: 'Waterfront', pull: 'leisure', at: [1150, 300], radius: 650, weight: 7 },
  { name: 'Old Port market', pull: 'leisure', at: [-300, 1700], radius: 600, weight: 6 },
  { name: 'Meridian Park', pull: 'leisure', at: [-1850, -1050], radius: 700, weight: 5 },
  { name: 'Ocean beach', pull: 'leisure', at: [7050, 2600], radius: 1100, weight: 6 },
  { name: 'Seabright pier', pull: 'leisure', at: [6750, 200], radius: 600, weight: 5 },
  { name: 'South beach', pull: 'leisure', at: [5900, -5000], radius: 800, weight: 4 },
  { name: 'Boathouse row', pull: 'leisure', at: [-2700, 2700], radius: 600, weight: 3 },
  { name: 'Inner Harbor', pull: 'leisure', at: [1700, -1500], radius: 500, weight: 3 },
  { name: 'Old town homes', pull: 'home', at: [-700, 1300], radius: 1300, weight: 4 },
  { name: 'Embankment homes', pull: 'home', at: [400, 3400], radius: 1500, weight: 3.5 },
  { name: 'Midtown homes', pull: 'home', at: [-2200, -400], radius: 1500, weight: 3.5 },
  { name: 'Shoreham homes', pull: 'home', at: [3600, 900], radius: 1600, weight: 2.5 },
  { name: 'Southfield homes', pull: 'home', at: [-1200, -3300], radius: 1600, weight: 2 },
  { name: 'Ocean homes', pull: 'home', at: [5800, 2500], radius: 1500, weight: 1.5 },
]

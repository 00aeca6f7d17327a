import type { Point } from '../point.ts'

/** What attracts people. The weights in `rhythm` define at which hours each kind does. */
export type AttractorKind = 'work' | 'home' | 'study' | 'leisure' | 'station'

/** A place that attracts people. Its pull decreases with the distance. */
export interface Attractor {
  name: string
  kind: AttractorKind
  center: Point
  /** Meters from the center to where its pull is a third (1/e). */
  radius: number
  /** Pull at the center, relative to other attractors. */
  weight: number
}

export const attractors: readonly Attractor[] = [
  { name: 'Exchange', kind: 'work', center: [150, 950], radius: 900, weight: 10 },
  { name: 'Civic Center', kind: 'work', center: [-700, 300], radius: 700, weight: 5 },
  { name: 'North Ferry offices', kind: 'work', center: [-400, 3150], radius: 700, weight: 3 },
  { name: 'Medical Center', kind: 'work', center: [-1900, -1900], radius: 500, weight: 3 },
  { name: 'Dockyard', kind: 'work', center: [2300, -2500], radius: 900, weight: 2 },
  { name: 'Tidewater University', kind: 'study', center: [-2850, 450], radius: 750, weight: 7 },
  { name: 'Harbor State College', kind: 'study', center: [2650, 2200], radius: 600, weight: 3.5 },
  { name: 'Union Station', kind: 'station', center: [-850, -1150], radius: 330, weight: 9 },
  { name: 'North Ferry', kind: 'station', center: [-250, 2900], radius: 260, weight: 5 },
  { name: 'Garrison Station', kind: 'station', center: [1900, 3300], radius: 300, weight: 4 },
  { name: 'Westgate Station', kind: 'station', center: [-4250, -1300], radius: 300, weight: 3 },
  { name: 'Southfield Station', kind: 'station', center: [-1500, -4150], radius: 300, weight: 3 },
  { name: 'Shoreham Station', kind: 'station', center: [3100, 2200], radius: 300, weight: 3 },
  { name: 'Waterfront', kind: 'leisure', center: [1150, 300], radius: 650, weight: 7 },
  { name: 'Old Port market', kind: 'leisure', center: [-300, 1700], radius: 600, weight: 6 },
  { name: 'Meridian Park', kind: 'leisure', center: [-1850, -1050], radius: 700, weight: 5 },
  { name: 'Ocean beach', kind: 'leisure', center: [7050, 2600], radius: 1100, weight: 6 },
  { name: 'Seabright pier', kind: 'leisure', center: [6750, 200], radius: 600, weight: 5 },
  { name: 'South beach', kind: 'leisure', center: [5900, -5000], radius: 800, weight: 4 },
  { name: 'Boathouse row', kind: 'leisure', center: [-2700, 2700], radius: 600, weight: 3 },
  { name: 'Inner Harbor', kind: 'leisure', center: [1700, -1500], radius: 500, weight: 3 },
  { name: 'Old town homes', kind: 'home', center: [-700, 1300], radius: 1300, weight: 4 },
  { name: 'Embankment homes', kind: 'home', center: [400, 3400], radius: 1500, weight: 3.5 },
  { name: 'Midtown homes', kind: 'home', center: [-2200, -400], radius: 1500, weight: 3.5 },
  { name: 'Shoreham homes', kind: 'home', center: [3600, 900], radius: 1600, weight: 2.5 },
  { name: 'Southfield homes', kind: 'home', center: [-1200, -3300], radius: 1600, weight: 2 },
  { name: 'Ocean homes', kind: 'home', center: [5800, 2500], radius: 1500, weight: 1.5 },
]

import type { City, CityFeature } from './city.ts'
import { zones } from './plan/zones.ts'
import type { Point } from './plane/point.ts'
import { squareRing } from './plane/small-meshes.ts'
import { areaFeature } from './shapes/area-feature.ts'
import type { DrawnLine } from './streets/drawn-line.ts'
import { knotLines } from './streets/knot-lines.ts'
import { makeStreetGraph } from './streets/make-street-graph.ts'

const side = 2400
const gap = 300
const origin = { lon: -75.2, lat: 37.05 }

/** A city that is made at once, for tests: a board of streets, a stripe of it for each district, and a layer of each sort. */
export function smallCity(): City {
  const at = Array.from({ length: side / gap + 1 }, (_, i) => i * gap - side / 2)
  const line = (name: string, points: Point[]): DrawnLine => ({
    kind: 'local',
    key: name,
    name,
    bridge: false,
    points,
  })
  const lines = at.flatMap((c) => [
    line(`Row ${c}`, [
      [-side / 2, c],
      [side / 2, c],
    ]),
    line(`Column ${c}`, [
      [c, -side / 2],
      [c, side / 2],
    ]),
  ])
  const mesh = knotLines(lines)
  const stripe = side / zones.length
  const districtAt = (x: number): string =>
    zones[Math.min(zones.length - 1, Math.floor((x + side / 2) / stripe))]!.district
  const streets = makeStreetGraph(
    mesh,
    lines,
    origin,
    (e) => ({ district: districtAt((mesh.x[mesh.from[e]!]! + mesh.x[mesh.to[e]!]!) / 2), isPark: false }),
    side,
  )
  const square = (name: string, west: number): CityFeature =>
    areaFeature([[squareRing(west, -side / 2, stripe)]], { name }, origin)
  return {
    name: 'Smallville',
    timezone: 'America/New_York',
    ...origin,
    mapZoom: 13,
    streets,
    layers: [
      {
        name: 'Neighbourhoods',
        level: 'l1',
        features: zones.map(({ district }, i) => square(district, i * stripe - side / 2)),
      },
      { name: 'Blocks', level: '', features: [square('Block 01-001', 0), square('Block 01-002', stripe)] },
      { name: 'Water', level: 'basemap:water', features: [square('Bay', -side)] },
    ],
  }
}

import type { City, CityFeature } from './city.ts'
import { type Point, toDegrees } from './point.ts'
import type { StreetEdge } from './street-graph.ts'

/** Side of the city, and distance between streets, in meters. */
const side = 2400
const gap = 300
const origin = { lon: -75.2, lat: 37.05 }
/** From west to east. */
const districts = [
  'Old Port',
  'Midtown',
  'Westgate',
  'Southfield',
  'Harborside',
  'Northbank',
  'Highlands',
  'Eastshore',
]
const stripe = side / districts.length

/** Creates a city for tests: a grid of streets, a stripe of it per district, and a layer of each kind. */
export function smallCity(): City {
  const perRow = side / gap + 1
  const coordinates = Array.from({ length: perRow }, (_, i) => i * gap - side / 2)
  const nodes = coordinates.flatMap((y) => coordinates.map((x): Point => [x, y]))
  const edge = (from: number, to: number): StreetEdge => {
    const path = Float64Array.from([...nodes[from]!, ...nodes[to]!])
    const middle = (path[0]! + path[2]!) / 2 + side / 2
    const district = districts[Math.min(districts.length - 1, Math.floor(middle / stripe))]
    return { from, to, length: gap, class: 'local', district, isPark: false, path }
  }
  return {
    name: 'Smallville',
    timezone: 'America/New_York',
    ...origin,
    mapZoom: 13,
    streets: {
      lon0: origin.lon,
      lat0: origin.lat,
      nodeX: Float64Array.from(nodes, ([x]) => x),
      nodeY: Float64Array.from(nodes, ([, y]) => y),
      edges: nodes.flatMap(([x, y], node) => [
        ...(x < side / 2 ? [edge(node, node + 1)] : []),
        ...(y < side / 2 ? [edge(node, node + perRow)] : []),
      ]),
    },
    layers: [
      {
        name: 'Neighborhoods',
        level: 'l1',
        features: districts.map((district, i) => square(district, i * stripe - side / 2)),
      },
      { name: 'Blocks', level: '', features: [square('Block 01-001', 0), square('Block 01-002', stripe)] },
      { name: 'Water', level: 'basemap:water', features: [square('Bay', -side)] },
    ],
  }
}

/** Returns a square as wide as a stripe, at the south end of the city. */
function square(name: string, west: number): CityFeature {
  const [east, south, north] = [west + stripe, -side / 2, -side / 2 + stripe]
  const corners: Point[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  const ring = corners.map((corner) => toDegrees(origin.lon, origin.lat, corner))
  return { type: 'Feature', properties: { name }, geometry: { type: 'Polygon', coordinates: [ring] } }
}

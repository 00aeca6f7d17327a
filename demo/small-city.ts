import type { City, CityFeature } from './city.ts'
import { type Point, toDegrees } from './point.ts'
import type { StreetEdge } from './street-graph.ts'

/** Width and height of the city, in meters. */
const side = 2400
/** Distance between parallel streets, in meters. */
const streetGap = 300
const center = { lon: -75.2, lat: 37.05 }
/** Districts from west to east. */
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
/** Width of a district, in meters. */
const stripe = side / districts.length

/** Creates a city for tests: a grid of streets, a stripe of it per district, and a layer of each kind. */
export function makeSmallCity(): City {
  const nodesPerRow = side / streetGap + 1
  const coordinates = Array.from({ length: nodesPerRow }, (_, i) => i * streetGap - side / 2)
  const nodes = coordinates.flatMap((y) => coordinates.map((x): Point => [x, y]))
  const edge = (from: number, to: number): StreetEdge => {
    const path = Float64Array.from([...nodes[from]!, ...nodes[to]!])
    // The middle of the edge, in meters from the west edge of the city.
    const x = (path[0]! + path[2]!) / 2 + side / 2
    const district = districts[Math.min(districts.length - 1, Math.floor(x / stripe))]
    return { from, to, length: streetGap, class: 'local', district, isPark: false, path }
  }
  return {
    name: 'Smallville',
    timezone: 'America/New_York',
    ...center,
    mapZoom: 13,
    streets: {
      lon0: center.lon,
      lat0: center.lat,
      nodeX: Float64Array.from(nodes, ([x]) => x),
      nodeY: Float64Array.from(nodes, ([, y]) => y),
      edges: nodes.flatMap(([x, y], node) => [
        ...(x < side / 2 ? [edge(node, node + 1)] : []),
        ...(y < side / 2 ? [edge(node, node + nodesPerRow)] : []),
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
  const south = -side / 2
  const east = west + stripe
  const north = south + stripe
  const corners: Point[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  const ring = corners.map((corner) => toDegrees(center.lon, center.lat, corner))
  return { type: 'Feature', properties: { name }, geometry: { type: 'Polygon', coordinates: [ring] } }
}

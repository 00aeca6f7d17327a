import { toDegrees } from '../plane/to-degrees.ts'
import type { StreetGraph } from '../streets/street-graph.ts'
import { placeOnEdge } from '../trips/place-on-edge.ts'
import { rideNetwork } from '../trips/ride-network.ts'

/** A place of a GBFS system where vehicles are kept. */
export interface Station {
  id: string
  name: string
  lon: number
  lat: number
  capacity: number
}

/** Stations of an operator, spread over the squares of its service area. */
export function stationsOf(graph: StreetGraph, operatorIndex: number, wanted: number): Station[] {
  const squares = rideNetwork(graph).areas[operatorIndex]?.squares ?? []
  const count = Math.min(wanted, squares.length)
  const place = new Float64Array(2)
  return Array.from({ length: count }, (_, i) => {
    const edges = squares[Math.floor((i * squares.length) / count)]?.edges ?? new Int32Array(1)
    const edge = graph.edges[edges[edges.length >> 1] ?? 0]!
    placeOnEdge(edge, edge.length / 2, place)
    const [lon, lat] = toDegrees(graph.lon0, graph.lat0, [place[0]!, place[1]!])
    return {
      id: `st-${String(i + 1).padStart(3, '0')}`,
      name: `${edge.district ?? 'Station'} ${i + 1}`,
      lon,
      lat,
      capacity: 8 + (i % 4) * 4,
    }
  })
}

/** The place in the list of the station next to a place, if one is within so many metres; -1 else. */
export function stationNear(
  stations: readonly Station[],
  { lon, lat }: { lon: number; lat: number },
  within: number,
): number {
  const scale = Math.cos((lat * Math.PI) / 180)
  let [best, found] = [(within / 111_195) ** 2, -1]
  stations.forEach((station, i) => {
    const square = ((station.lon - lon) * scale) ** 2 + (station.lat - lat) ** 2
    if (square < best) [best, found] = [square, i]
  })
  return found
}

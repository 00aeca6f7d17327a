import { operators } from '../operators.ts'
import type { StreetGraph } from '../street-graph.ts'
import { rideDistances } from './ride-distances.ts'
import { serviceArea, type ServiceArea } from './service-area.ts'

/** The street graph of a city with distances and service areas. */
export interface RideNetwork {
  graph: StreetGraph
  /** Meters along the streets from a node to each node. */
  distancesFrom: (node: number) => Uint16Array
  /** Service areas in the order of the operators. */
  areas: ServiceArea[]
}

const known = new WeakMap<StreetGraph, RideNetwork>()

/** The network of a street graph, created once per graph. */
export function rideNetwork(graph: StreetGraph): RideNetwork {
  const found = known.get(graph)
  if (found) return found
  const network = {
    graph,
    distancesFrom: rideDistances(graph),
    areas: operators.map((operator) => serviceArea(graph, operator)),
  }
  known.set(graph, network)
  return network
}

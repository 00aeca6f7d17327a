import { operators } from '../operators.ts'
import type { StreetGraph } from '../street-graph.ts'
import { rideDistances } from './ride-distances.ts'
import { serviceArea, type ServiceArea } from './service-area.ts'

/** The streets of a city, ready to be ridden. */
export interface RideNetwork {
  graph: StreetGraph
  /** Metres along the streets from a node to each node. */
  distancesFrom: (node: number) => Uint16Array
  /** In the order of the operators. */
  areas: ServiceArea[]
}

const known = new WeakMap<StreetGraph, RideNetwork>()

/** Prepares a street graph once; asking again costs nothing. */
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

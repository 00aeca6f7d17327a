import { operators } from '../operators.ts'
import type { StreetGraph } from '../street-graph.ts'
import { type DistancesFrom, rideDistances } from './ride-distances.ts'
import { serviceArea, type ServiceArea } from './service-area.ts'

/** The street graph of a city with distances and service areas. */
export interface RideNetwork {
  graph: StreetGraph
  distancesFrom: DistancesFrom
  /** Service areas in the order of the operators. */
  areas: ServiceArea[]
}

const known = new WeakMap<StreetGraph, RideNetwork>()

/** The network of a street graph, created once per graph. That of the demo city takes 75 MB. */
export function rideNetwork(graph: StreetGraph): RideNetwork {
  const found = known.get(graph)
  if (found) return found
  const network = createRideNetwork(graph)
  known.set(graph, network)
  return network
}

/** A network that lasts as long as it is used. */
export const createRideNetwork = (graph: StreetGraph): RideNetwork => ({
  graph,
  distancesFrom: rideDistances(graph),
  areas: operators.map((operator) => serviceArea(graph, operator)),
})

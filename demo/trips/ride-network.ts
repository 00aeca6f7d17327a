import { operators } from '../operators.ts'
import type { StreetGraph } from '../street-graph.ts'
import { type DistancesFrom, rideDistances } from './ride-distances.ts'
import { makeServiceArea, type ServiceArea } from './service-area.ts'

/** The street graph of a city with distances and service areas. */
export interface RideNetwork {
  graph: StreetGraph
  distancesFrom: DistancesFrom
  /** Service areas in the order of the operators. */
  areas: ServiceArea[]
}

const networks = new WeakMap<StreetGraph, RideNetwork>()

/** Returns the network of a street graph, created once. That of the demo city takes 75 MB. */
export function rideNetwork(graph: StreetGraph): RideNetwork {
  const cached = networks.get(graph)
  if (cached) return cached
  const network = createRideNetwork(graph)
  networks.set(graph, network)
  return network
}

/** Creates a network that is not cached, so that its memory can be freed. */
export const createRideNetwork = (graph: StreetGraph): RideNetwork => ({
  graph,
  distancesFrom: rideDistances(graph),
  areas: operators.map((operator) => makeServiceArea(graph, operator)),
})

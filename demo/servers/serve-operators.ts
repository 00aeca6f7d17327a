import type { City } from '../city.ts'
import type { FleetSimulation } from '../live/fleet-simulation.ts'
import { operators } from '../operators.ts'
import { listen } from './listen.ts'
import { dockedPath, serveDocked } from './serve-docked.ts'
import { serveEarlierMds, type OAuthClient } from './serve-earlier-mds.ts'
import { serveGbfs } from './serve-gbfs.ts'
import { serveMds } from './serve-mds.ts'
import { createFeedFaults } from './feed-faults.ts'

/** Credentials for the operators' APIs. */
export interface Credentials {
  zephyr: string
  ternbikes: OAuthClient
}

/** Ports of the servers; 0: any free port. */
export interface Ports {
  zephyr: number
  ternbikes: number
  sandpiper: number
}

export type PulledOperator = keyof Ports
export const anyPorts: Ports = { zephyr: 0, ternbikes: 0, sandpiper: 0 }

/** A city and its simulated fleets, loaded on the first request, so that the servers start at once. */
export interface LiveCity {
  city: Pick<City, 'streets' | 'timezone'>
  simulation: FleetSimulation
}

interface ServerOptions {
  seed: number
  credentials: Credentials
  ports: Ports
  now: () => number
}

/** Opens the servers of the operators with pulled feeds on loopback. */
export async function serveOperators(
  open: () => LiveCity,
  { seed, credentials, ports, now }: ServerOptions,
): Promise<{ urls: Record<PulledOperator, string>; close: () => Promise<void> }> {
  const sandpiper = operators.find(({ slug }) => slug === 'sandpiper')
  if (!sandpiper) throw new Error('The operator sandpiper is missing')
  /** Wraps a server that is created on its first request. */
  const lazy = <Server extends (...parameters: never[]) => unknown>(create: () => Server): Server => {
    let server: Server | null = null
    return ((...parameters: never[]) => (server ??= create())(...parameters)) as Server
  }
  const [zephyr, ternbikes, gbfs] = await Promise.all([
    listen(
      lazy(() => serveMds(open().simulation, 'zephyr', credentials.zephyr)),
      ports.zephyr,
      now,
    ),
    listen(
      lazy(() =>
        serveEarlierMds(open().simulation, 'ternbikes', credentials.ternbikes, createFeedFaults(seed)),
      ),
      ports.ternbikes,
      now,
    ),
    listen(
      lazy(() => {
        const [vehicles, docks] = [
          serveGbfs(open().simulation, open().city, sandpiper, seed),
          serveDocked(open().city, seed),
        ]
        return (request, nowMs) =>
          (request.path.startsWith(`${dockedPath}/`) ? docks : vehicles)(request, nowMs)
      }),
      ports.sandpiper,
      now,
    ),
  ])
  return {
    urls: { zephyr: zephyr.origin, ternbikes: ternbikes.origin, sandpiper: gbfs.origin },
    close: async () => void (await Promise.all([zephyr.close(), ternbikes.close(), gbfs.close()])),
  }
}

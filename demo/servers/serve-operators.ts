import type { City } from '../city.ts'
import type { LiveModel } from '../live/live-model.ts'
import { operators } from '../operators.ts'
import { listen } from './listen.ts'
import { dockedPath, serveDocked } from './serve-docked.ts'
import { serveEarlierMds, type OAuthClient } from './serve-earlier-mds.ts'
import { serveGbfs } from './serve-gbfs.ts'
import { serveMds } from './serve-mds.ts'
import { slipsOf } from './slips.ts'

/** What is needed to ask the operators. */
export interface Credentials {
  zephyr: string
  ternbikes: OAuthClient
}

/** Ports of the servers; 0: any that is free. */
export interface Ports {
  zephyr: number
  ternbikes: number
  sandpiper: number
}

export type Pulled = keyof Ports
export const anyPorts: Ports = { zephyr: 0, ternbikes: 0, sandpiper: 0 }

/** A city that is read when it is first asked for: the servers answer at once, and the heavy part waits. */
export interface LiveCity {
  city: Pick<City, 'streets' | 'timezone'>
  model: LiveModel
}

/** Opens the servers of the operators that are asked, on loopback. */
export async function serveOperators(
  open: () => LiveCity,
  seed: number,
  credentials: Credentials,
  ports: Ports,
  now: () => number,
): Promise<{ urls: Record<Pulled, string>; close: () => Promise<void> }> {
  const sandpiper = operators.find(({ slug }) => slug === 'sandpiper')
  if (!sandpiper) throw new Error('There is no operator sandpiper')
  const later = <Server extends (...given: never[]) => unknown>(make: () => Server): Server => {
    let made: Server | null = null
    return ((...given: never[]) => (made ??= make())(...given)) as Server
  }
  const [zephyr, ternbikes, gbfs] = await Promise.all([
    listen(
      later(() => serveMds(open().model, 'zephyr', credentials.zephyr)),
      ports.zephyr,
      now,
    ),
    listen(
      later(() => serveEarlierMds(open().model, 'ternbikes', credentials.ternbikes, slipsOf(seed))),
      ports.ternbikes,
      now,
    ),
    listen(
      later(() => {
        const [vehicles, docks] = [
          serveGbfs(open().model, open().city, sandpiper, seed),
          serveDocked(open().city, seed),
        ]
        return (ask, at) => (ask.path.startsWith(`${dockedPath}/`) ? docks : vehicles)(ask, at)
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

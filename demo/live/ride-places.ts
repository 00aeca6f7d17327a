import { toDegrees } from '../plane/to-degrees.ts'
import type { StreetGraph } from '../streets/street-graph.ts'
import type { LivePoint } from './live-point.ts'
import type { LiveTrip } from './live-trip.ts'
import { placeOnWay } from './place-on-way.ts'
import { streetWays, type Way } from './street-ways.ts'

/** Telemetry tells of a trip so often, ms. */
export const pointEveryMs = 10_000

/** Places of vehicles under way: they ride along the streets at one speed, from where their trip starts to where it ends. */
export function ridePlaces(graph: StreetGraph) {
  const wayOf = streetWays(graph)
  const ways = new WeakMap<LiveTrip, Way>()
  const way = (trip: LiveTrip): Way => {
    const known = ways.get(trip)
    if (known) return known
    const found = wayOf(trip)
    ways.set(trip, found)
    return found
  }
  const at = (trip: LiveTrip, time: number): Pick<LivePoint, 'lon' | 'lat' | 'speed' | 'heading'> => {
    const whole = way(trip)
    const { x, y, heading } = placeOnWay(
      whole,
      (whole.length * (time - trip.startMs)) / Math.max(1, trip.endMs - trip.startMs),
    )
    const [lon, lat] = toDegrees(graph.lon0, graph.lat0, [x, y])
    return { lon, lat, heading, speed: Math.round((whole.length / Math.max(1, trip.durationS)) * 100) / 100 }
  }
  return { at }
}

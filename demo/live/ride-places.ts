import { toDegrees } from '../point.ts'
import type { StreetGraph } from '../street-graph.ts'
import type { LivePoint } from './live-event.ts'
import type { LiveTrip } from './live-trip.ts'
import { streetWays, type Way } from './street-ways.ts'

/** Where one is after some metres of a way, and where one looks to (degrees from north). */
export function placeOnWay(
  { path, along, length }: Way,
  metres: number,
): { x: number; y: number; heading: number } {
  const wanted = Math.max(0, Math.min(length, metres))
  let low = 0
  let high = along.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (along[middle]! <= wanted) low = middle
    else high = middle
  }
  if (high < 1) return { x: path[0] ?? 0, y: path[1] ?? 0, heading: 0 }
  const [x, y] = [path[2 * low]!, path[2 * low + 1]!]
  const [dx, dy] = [path[2 * high]! - x, path[2 * high + 1]! - y]
  const piece = along[high]! - along[low]!
  const share = piece === 0 ? 0 : (wanted - along[low]!) / piece
  return {
    x: x + dx * share,
    y: y + dy * share,
    heading: (Math.round((Math.atan2(dx, dy) * 180) / Math.PI) + 360) % 360,
  }
}

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

import { LRUCache } from 'lru-cache'
import { toDegrees } from '../point.ts'
import type { StreetGraph } from '../street-graph.ts'
import type { LivePoint } from './live-event.ts'
import type { LiveTrip } from './live-trip.ts'
import { recentRideDistances } from '../trips/ride-distances.ts'
import { createPathFinder, type StreetPath } from './street-paths.ts'

/** Returns the position after some meters of a path, and the heading there (degrees from north). */
export function placeOnPath(
  { points, along, length }: StreetPath,
  meters: number,
): { x: number; y: number; heading: number } {
  const target = Math.max(0, Math.min(length, meters))
  let low = 0
  let high = along.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (along[middle]! <= target) low = middle
    else high = middle
  }
  if (high < 1) return { x: points[0] ?? 0, y: points[1] ?? 0, heading: 0 }
  const [x, y] = [points[2 * low]!, points[2 * low + 1]!]
  const [dx, dy] = [points[2 * high]! - x, points[2 * high + 1]! - y]
  const segmentLength = along[high]! - along[low]!
  const share = segmentLength === 0 ? 0 : (target - along[low]!) / segmentLength
  return {
    x: x + dx * share,
    y: y + dy * share,
    heading: (Math.round((Math.atan2(dx, dy) * 180) / Math.PI) + 360) % 360,
  }
}

/** Interval of telemetry during a trip. */
export const pointEveryMs = 10_000

/** Number of paths to cache: several times the number of concurrent trips. */
const maxPaths = 1000
/** Number of rows of distances to cache. A path needs two, but trips share many of them. */
const maxRows = 400

/** Returns a function for the position during a trip. Vehicles move along streets at constant speed. */
export function createPlaceFinder(graph: StreetGraph) {
  const findPath = createPathFinder(graph, recentRideDistances(graph, maxRows))
  const paths = new LRUCache<number, StreetPath, LiveTrip>({
    max: maxPaths,
    memoMethod: (_number, _stale, { context: trip }) => findPath(trip),
  })
  const getPath = (trip: LiveTrip): StreetPath => paths.memo(trip.tripNumber, { context: trip })
  return (trip: LiveTrip, time: number): Pick<LivePoint, 'lon' | 'lat' | 'speed' | 'heading'> => {
    const path = getPath(trip)
    const { x, y, heading } = placeOnPath(
      path,
      (path.length * (time - trip.startMs)) / Math.max(1, trip.endMs - trip.startMs),
    )
    const [lon, lat] = toDegrees(graph.lon0, graph.lat0, [x, y])
    return { lon, lat, heading, speed: Math.round((path.length / Math.max(1, trip.durationS)) * 100) / 100 }
  }
}

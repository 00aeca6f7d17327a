import type { PublicRouteVolumes } from '#contract/routes.ts'
import type { RouteTotals, SegmentVolume } from '../route-queries.ts'
import type { StreetSegmentSet } from '../route-streets.ts'

/**
 * Returns the share of trips that have a route, rounded to percent, so that it does not reveal counts. Null if
 * too few trips have a route, or too few have none.
 */
function roundShare({ trips, trips_with_way: routes }: PublicTotals, minTrips: number): number | null {
  const tripsWithoutRoute = trips - routes
  if (routes < Math.max(1, minTrips) || (tripsWithoutRoute > 0 && tripsWithoutRoute < minTrips)) return null
  return Math.min(1, Math.round((100 * routes) / trips) / 100)
}

type PublicTotals = Pick<RouteTotals, 'trips' | 'trips_with_way'>

/**
 * Returns the public volumes of a month: the sum of both directions, only for segments with at least
 * `minTrips` trips (docs/metrics.md, Small numbers). There are no totals: they would reveal hidden counts.
 */
export function hideSmallCounts(
  month: string,
  volumes: ReadonlyMap<string, SegmentVolume>,
  streets: StreetSegmentSet | null,
  { totals, minTrips }: { totals: PublicTotals; minTrips: number },
): PublicRouteVolumes {
  const response: PublicRouteVolumes = {
    month,
    privacy_minimum: minTrips,
    route_share: roundShare(totals, minTrips),
    segment_ids: [],
    trips: [],
    street: [],
    boxes: [],
    streets: [],
  }
  const streetIndexes = new Map<string, number>()
  for (const [id, { forward, backward }] of volumes) {
    const segment = streets?.segments.get(id)
    const trips = forward + backward
    if (!segment || trips < Math.max(1, minTrips)) continue
    const streetIndex = streetIndexes.get(segment.street) ?? response.streets.push(segment.street) - 1
    streetIndexes.set(segment.street, streetIndex)
    response.segment_ids.push(id)
    response.trips.push(trips)
    response.street.push(streetIndex)
    response.boxes.push(segment.box)
  }
  return response
}

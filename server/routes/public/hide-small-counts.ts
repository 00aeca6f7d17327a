import type { PublicRouteVolumes } from '#contract/routes.ts'
import type { SegmentVolume } from '../route-queries.ts'
import type { StreetSegmentSet } from '../route-streets.ts'

/**
 * The public volumes of a month: the sum of both directions, only for segments with at least `minTrips` trips
 * (docs/metrics.md, Small numbers). There are no totals, because they would reveal hidden counts.
 */
export function hideSmallCounts(
  month: string,
  volumes: ReadonlyMap<string, SegmentVolume>,
  streets: StreetSegmentSet | null,
  minTrips: number,
): PublicRouteVolumes {
  const response: PublicRouteVolumes = {
    month,
    privacy_minimum: minTrips,
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

import type { PublicRouteVolumes } from '#contract/routes.ts'
import type { SegmentVolume } from '../route-questions.ts'
import type { StreetSegmentSet } from '../route-streets.ts'

/** The public data of a month: both directions added up, and only cells of at least `least` trips (docs/metrics.md, Small numbers). No sum over cells, which would reveal hidden ones. */
export function hideSmallCounts(
  month: string,
  volumes: ReadonlyMap<string, SegmentVolume>,
  streets: StreetSegmentSet | null,
  minTrips: number,
): PublicRouteVolumes {
  const answer: PublicRouteVolumes = {
    month,
    privacy_minimum: minTrips,
    segment_ids: [],
    trips: [],
    street: [],
    boxes: [],
    streets: [],
  }
  const places = new Map<string, number>()
  for (const [id, { forward, backward }] of volumes) {
    const segment = streets?.segments.get(id)
    const trips = forward + backward
    if (!segment || trips < Math.max(1, minTrips)) continue
    const place = places.get(segment.street) ?? answer.streets.push(segment.street) - 1
    places.set(segment.street, place)
    answer.segment_ids.push(id)
    answer.trips.push(trips)
    answer.street.push(place)
    answer.boxes.push(segment.box)
  }
  return answer
}

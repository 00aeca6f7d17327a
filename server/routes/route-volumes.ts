import type { RouteVolumes } from '#contract/routes.ts'
import type { RouteTotals, SegmentVolume } from './route-queries.ts'
import type { StreetSegmentSet } from './route-streets.ts'

/**
 * Builds volumes in columns. Street names are deduplicated, because many segments share one. Segments that
 * are no longer in the layer are only counted.
 */
export function buildRouteVolumes(
  volumes: ReadonlyMap<string, SegmentVolume>,
  { trips, trips_with_way, trips_matched }: RouteTotals,
  streets: StreetSegmentSet | null,
  milliseconds: number,
): RouteVolumes {
  const response: RouteVolumes = {
    trips,
    trips_with_way,
    trips_matched,
    segment_ids: [],
    forward: [],
    backward: [],
    street: [],
    length_m: [],
    heading: [],
    boxes: [],
    streets: [],
    gone_segments: 0,
    streets_version: streets?.version ?? null,
    milliseconds,
  }
  const streetIndexes = new Map<string, number>()
  for (const [id, { forward, backward }] of volumes) {
    const segment = streets?.segments.get(id)
    if (!segment) {
      response.gone_segments++
      continue
    }
    const key = `${segment.street}\n${segment.class}`
    let streetIndex = streetIndexes.get(key)
    if (streetIndex === undefined) {
      streetIndex = response.streets.push({ name: segment.street, class: segment.class }) - 1
      streetIndexes.set(key, streetIndex)
    }
    response.segment_ids.push(id)
    response.forward.push(forward)
    response.backward.push(backward)
    response.street.push(streetIndex)
    response.length_m.push(Number(segment.lengthM.toFixed(1)))
    response.heading.push(segment.heading)
    response.boxes.push(segment.box)
  }
  return response
}

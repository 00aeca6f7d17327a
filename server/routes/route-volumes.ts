import type { RouteVolumes } from '#contract/routes.ts'
import type { RouteTotals, SegmentVolume } from './route-questions.ts'
import type { StreetSegmentSet } from './route-streets.ts'

/** Volumes in columns, by id: names are deduplicated, because many segments share them. Segments that the layer no longer has are counted and left out. */
export function buildRouteVolumes(
  volumes: ReadonlyMap<string, SegmentVolume>,
  { trips, trips_with_way, trips_matched }: RouteTotals,
  streets: StreetSegmentSet | null,
  milliseconds: number,
): RouteVolumes {
  const answer: RouteVolumes = {
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
  const places = new Map<string, number>()
  for (const [id, { forward, backward }] of volumes) {
    const segment = streets?.segments.get(id)
    if (!segment) {
      answer.gone_segments++
      continue
    }
    const key = `${segment.street}\n${segment.class}`
    let place = places.get(key)
    if (place === undefined) {
      place = answer.streets.push({ name: segment.street, class: segment.class }) - 1
      places.set(key, place)
    }
    answer.segment_ids.push(id)
    answer.forward.push(forward)
    answer.backward.push(backward)
    answer.street.push(place)
    answer.length_m.push(Number(segment.lengthM.toFixed(1)))
    answer.heading.push(segment.heading)
    answer.boxes.push(segment.box)
  }
  return answer
}

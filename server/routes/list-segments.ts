import {
  type RouteDirection,
  type RouteSegment,
  type RouteStatistics,
  type RouteSort,
  type RouteSortKey,
  countTripsToward,
} from '#contract/routes.ts'
import type { SegmentVolume } from './route-queries.ts'
import type { NamedSegment, StreetSegmentSet } from './route-streets.ts'
import { makePositionKey } from './street-segments.ts'

interface SegmentListOptions {
  direction: RouteDirection
  /** Part of a street's name, case-insensitive. */
  text?: string | undefined
  order_by: RouteSort
}

const roundTo = (value: number, digits: number): number => Number(value.toFixed(digits))

/**
 * Lists the segments of the streets layer with trips in the requested direction, sorted; ties by id, so that
 * pages do not overlap.
 */
export function listSegments(
  volumes: ReadonlyMap<string, SegmentVolume>,
  streets: StreetSegmentSet | null,
  { direction, text, order_by }: SegmentListOptions,
): RouteSegment[] {
  const searchText = text?.trim().toLocaleLowerCase()
  const segments: RouteSegment[] = []
  for (const [id, volume] of volumes) {
    const segment = streets?.segments.get(id)
    if (!segment) continue
    const trips = countTripsToward(direction, { heading: segment.heading, ...volume })
    if (trips <= 0 || (searchText && !segment.street.toLocaleLowerCase().includes(searchText))) continue
    segments.push({
      segment_id: id,
      street: segment.street,
      class: segment.class,
      length_m: roundTo(segment.lengthM, 1),
      heading: segment.heading,
      trips,
      ...volume,
    })
  }
  const [key, sign] = order_by.startsWith('-')
    ? [order_by.slice(1) as RouteSortKey, -1]
    : [order_by as RouteSortKey, 1]
  const compare = (a: RouteSegment, b: RouteSegment): number =>
    key === 'street' ? a.street.localeCompare(b.street) : a[key] - b[key]
  return segments.sort((a, b) => sign * compare(a, b) || (a.segment_id < b.segment_id ? -1 : 1))
}

/** Returns the keys of the positions at both ends of a segment. */
const getEndKeys = ({ coordinates }: NamedSegment): string[] =>
  [coordinates[0]!, coordinates.at(-1)!].map((position) => makePositionKey(position))

/** Adds the names of streets that start, end or cross at the ends of segments. */
export function addCrossStreets(
  segments: readonly RouteSegment[],
  streets: StreetSegmentSet | null,
): RouteStatistics['busiest'] {
  const ends = segments.map(({ segment_id: id }) => {
    const segment = streets?.segments.get(id)
    return segment ? getEndKeys(segment) : []
  })
  const namesByEnd = new Map(ends.flat().map((key) => [key, new Set<string>()]))
  for (const segment of streets?.segments.values() ?? [])
    for (const key of getEndKeys(segment)) if (segment.street) namesByEnd.get(key)?.add(segment.street)
  return segments.map((segment, index) => {
    // At most one name per end, the first by alphabet.
    const crossStreets = ends[index]!.flatMap(
      (key) => [...namesByEnd.get(key)!].toSorted().find((name) => name !== segment.street) ?? [],
    )
    return { ...segment, cross_streets: [...new Set(crossStreets)] }
  })
}

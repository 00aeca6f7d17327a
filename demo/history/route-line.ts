import { dayFromNumber } from '#contract/period.ts'
import { simplifyTrack } from '#server/routes/simplify-track.ts'
import { formatTimeField } from '#server/stores/row-text.ts'
import type { City } from '../city.ts'
import { addPathPart, createLegFinder, type Leg } from '../live/street-paths.ts'
import { pointEveryMs } from '../live/ride-places.ts'
import { type DemoTrip, makeTripId } from '../trips/demo-trip.ts'
import { matchTrack } from '#server/routes/match-track.ts'
import { buildStreetGrid } from '#server/routes/street-grid.ts'
import { type StreetLine, makeStreetSegments } from '#server/routes/street-segments.ts'

/** A segment of the streets layer along an edge, and its direction relative to the edge. */
interface EdgeSegment {
  id: number
  direction: 1 | -1
}

/** Matches the segments along each edge of the street graph. This is faster than matching trips. */
function matchEdgeSegments({ streets, layers }: Pick<City, 'streets' | 'layers'>): EdgeSegment[][] {
  const lines = layers
    .filter(({ level }) => level === 'basemap:street')
    .flatMap(({ features }) =>
      features.flatMap(({ geometry }): StreetLine[] =>
        geometry.type === 'LineString' ? [{ shapeUuid: '', coordinates: geometry.coordinates }] : [],
      ),
    )
  const grid = buildStreetGrid(makeStreetSegments(lines), streets.lat0)
  // The graph's coordinates are relative to the city's center, those of the grid to the equator.
  const [x0, y0] = [grid.plane.x(streets.lon0), grid.plane.y(streets.lat0)]
  return streets.edges.map(({ path }) => {
    const x = Float64Array.from({ length: path.length / 2 }, (_, index) => x0 + path[2 * index]!)
    const y = Float64Array.from({ length: path.length / 2 }, (_, index) => y0 + path[2 * index + 1]!)
    return matchTrack(grid, { x, y }).map(({ segment, direction }) => ({
      id: grid.segments[segment]!.id,
      direction,
    }))
  })
}

/** Tolerance of simplified routes, meters; same as for telemetry. */
const tolerance = 4
/** Meters of an edge that a trip must cover to count on its segments, as in matching. */
const minMeters = 18
/** Or this share of the edge, if that is less. */
const minShare = 0.5

export interface RouteRow {
  regionId: string
  version: bigint
}

/**
 * Returns a function that makes the line of `trip_routes` (routeColumns) of a trip along the streets at constant speed,
 * as in the fleet simulation. It returns null for a trip without movement.
 */
export function createRouteLineMaker(
  city: Pick<City, 'streets' | 'layers'>,
): (trip: DemoTrip, row: RouteRow) => string | null {
  const { streets } = city
  const findLegs = createLegFinder(streets)
  const segments = matchEdgeSegments(city)
  const perLat = 1e6 / 111_195
  const perLon = perLat / Math.cos((streets.lat0 * Math.PI) / 180)
  const millionths = (
    values: Float64Array,
    indexes: readonly number[],
    origin: number,
    scale: number,
  ): string => {
    let text = ''
    for (const index of indexes) text += (text ? ',' : '') + Math.round(origin * 1e6 + values[index]! * scale)
    return text
  }
  const makePath = (legs: readonly Leg[]): number[] => {
    const points: number[] = []
    legs.forEach(({ edge, from, to }, index) => {
      const { path } = streets.edges[edge]!
      if (index === 0 || index === legs.length - 1) return addPathPart(points, path, from, to)
      if (from < to) for (let i = 2; i < path.length; i++) points.push(path[i]!)
      else for (let i = path.length - 4; i >= 0; i -= 2) points.push(path[i]!, path[i + 1]!)
    })
    return points
  }
  const makeSegments = (legs: readonly Leg[]): [ids: string, directions: string] => {
    let [ids, directions, last] = ['', '', '']
    // Consecutive edges may lie on the same segment, which is listed once.
    const addSegment = ({ id, direction }: { id: number; direction: number }, sign: number): void => {
      const key = `${id} ${direction * sign}`
      if (key === last) return
      const comma = ids ? ',' : ''
      ids += comma + id
      directions += comma + direction * sign
      last = key
    }
    for (const { edge, from, to } of legs) {
      if (Math.abs(to - from) < Math.min(minMeters, streets.edges[edge]!.length * minShare)) continue
      const edgeSegmentList = segments[edge]!
      if (from < to) for (const segment of edgeSegmentList) addSegment(segment, 1)
      else
        for (let index = edgeSegmentList.length - 1; index >= 0; index--)
          addSegment(edgeSegmentList[index]!, -1)
    }
    return [ids, directions]
  }

  return (trip, { regionId, version }) => {
    const legs = findLegs(trip)
    const points = makePath(legs)
    const count = points.length / 2
    if (count < 2) return null
    const [x, y, along] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
    for (let index = 0; index < count; index++) {
      x[index] = points[2 * index]!
      y[index] = points[2 * index + 1]!
      if (index)
        along[index] = along[index - 1]! + Math.hypot(x[index]! - x[index - 1]!, y[index]! - y[index - 1]!)
    }
    const length = along[count - 1]!
    if (length === 0) return null
    const indexes = simplifyTrack({ x, y }, tolerance)
    const [ids, directions] = makeSegments(legs)
    const seconds = indexes.map((index) => Math.round((trip.durationS * along[index]!) / length)).join(',')
    const pointCount = Math.floor((trip.durationS * 1000) / pointEveryMs) + 2
    return `${regionId}\t${trip.operator}\t${makeTripId(trip.tripNumber)}\t${trip.vehicleId}\t${trip.vehicleType}\t${formatTimeField(trip.startMs)}\t${dayFromNumber(trip.localDate)}\t${trip.localHour}\t[${millionths(x, indexes, streets.lon0, perLon)}]\t[${millionths(y, indexes, streets.lat0, perLat)}]\t[${seconds}]\t${length.toFixed(1)}\t${pointCount}\t[${ids}]\t[${directions}]\t0\t${version}\n`
  }
}

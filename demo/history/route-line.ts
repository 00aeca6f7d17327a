import { dayFromNumber } from '#contract/period.ts'
import { simplifyTrack } from '#server/routes/simplify-track.ts'
import { timeText } from '#server/stores/row-text.ts'
import type { City } from '../city.ts'
import { addPart, streetLegs, type Leg } from '../live/street-paths.ts'
import { pointEveryMs } from '../live/ride-places.ts'
import type { DemoTrip } from '../trips/demo-trip.ts'
import { tripIdOf } from '../trips/made-id.ts'
import { matchTrack } from '#server/routes/match-track.ts'
import { buildStreetGrid } from '#server/routes/street-grid.ts'
import { type StreetLine, streetSegments } from '#server/routes/street-segments.ts'

/** A segment of the streets layer along an edge, and its direction relative to the edge. */
interface EdgeSegment {
  id: number
  direction: 1 | -1
}

/** The segments along each edge of a city's street graph, in order. Matched once per edge instead of once per trip. */
function edgeSegments({ streets, layers }: Pick<City, 'streets' | 'layers'>): EdgeSegment[][] {
  const lines = layers
    .filter(({ level }) => level === 'basemap:street')
    .flatMap(({ features }) =>
      features.flatMap(({ geometry }): StreetLine[] =>
        geometry.type === 'LineString' ? [{ shapeUuid: '', coordinates: geometry.coordinates }] : [],
      ),
    )
  const grid = buildStreetGrid(streetSegments(lines), streets.lat0)
  // The graph's coordinates are relative to the city's center, those of the grid to the equator.
  const [x0, y0] = [grid.plane.x(streets.lon0), grid.plane.y(streets.lat0)]
  return streets.edges.map(({ path }) => {
    const x = Float64Array.from({ length: path.length / 2 }, (_, at) => x0 + path[2 * at]!)
    const y = Float64Array.from({ length: path.length / 2 }, (_, at) => y0 + path[2 * at + 1]!)
    return matchTrack(grid, { x, y }).map(({ segment, direction }) => ({
      id: grid.segments[segment]!.id,
      direction,
    }))
  })
}

/** Tolerance of simplified routes, meters; same as for telemetry. */
const tolerance = 4
/** Part of an edge that a trip must cover to count its segments: meters, or a share of a shorter edge. Same as in matching. */
const minMeters = 18
const minShare = 0.5

export interface RouteRow {
  regionId: string
  version: bigint
}

/** Lines of `trip_routes` (routeColumns) for trips along the streets at constant speed, as in the live model. Null for a trip without movement. */
export function routeLines(
  city: Pick<City, 'streets' | 'layers'>,
): (trip: DemoTrip, row: RouteRow) => string | null {
  const { streets } = city
  const legsOf = streetLegs(streets)
  const segments = edgeSegments(city)
  const perLat = 1e6 / 111_195
  const perLon = perLat / Math.cos((streets.lat0 * Math.PI) / 180)
  const millionths = (
    values: Float64Array,
    indexes: readonly number[],
    origin: number,
    scale: number,
  ): string => {
    let text = ''
    for (const at of indexes) text += (text ? ',' : '') + Math.round(origin * 1e6 + values[at]! * scale)
    return text
  }
  const pathOf = (legs: readonly Leg[]): number[] => {
    const points: number[] = []
    legs.forEach(({ edge, from, to }, at) => {
      const { path } = streets.edges[edge]!
      if (at === 0 || at === legs.length - 1) return addPart(points, path, from, to)
      if (from < to) for (let i = 2; i < path.length; i++) points.push(path[i]!)
      else for (let i = path.length - 4; i >= 0; i -= 2) points.push(path[i]!, path[i + 1]!)
    })
    return points
  }
  const segmentsOf = (legs: readonly Leg[]): [ids: string, directions: string] => {
    let [ids, directions, last] = ['', '', '']
    const take = ({ id, direction }: { id: number; direction: number }, sign: number): void => {
      const key = `${id} ${direction * sign}`
      if (key === last) return
      const comma = ids ? ',' : ''
      ids += comma + id
      directions += comma + direction * sign
      last = key
    }
    for (const { edge, from, to } of legs) {
      if (Math.abs(to - from) < Math.min(minMeters, streets.edges[edge]!.length * minShare)) continue
      const own = segments[edge]!
      if (from < to) for (const each of own) take(each, 1)
      else for (let at = own.length - 1; at >= 0; at--) take(own[at]!, -1)
    }
    return [ids, directions]
  }

  return (trip, { regionId, version }) => {
    const legs = legsOf(trip)
    const points = pathOf(legs)
    const count = points.length / 2
    if (count < 2) return null
    const [x, y, along] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
    for (let at = 0; at < count; at++) {
      x[at] = points[2 * at]!
      y[at] = points[2 * at + 1]!
      if (at) along[at] = along[at - 1]! + Math.hypot(x[at]! - x[at - 1]!, y[at]! - y[at - 1]!)
    }
    const length = along[count - 1]!
    if (length === 0) return null
    const indexes = simplifyTrack({ x, y }, tolerance)
    const [ids, directions] = segmentsOf(legs)
    const seconds = indexes.map((at) => Math.round((trip.durationS * along[at]!) / length)).join(',')
    const pointCount = Math.floor((trip.durationS * 1000) / pointEveryMs) + 2
    return `${regionId}\t${trip.operator}\t${tripIdOf(trip.tripNumber)}\t${trip.vehicleId}\t${trip.vehicleType}\t${timeText(trip.startMs)}\t${dayFromNumber(trip.localDate)}\t${trip.localHour}\t[${millionths(x, indexes, streets.lon0, perLon)}]\t[${millionths(y, indexes, streets.lat0, perLat)}]\t[${seconds}]\t${length.toFixed(1)}\t${pointCount}\t[${ids}]\t[${directions}]\t0\t${version}\n`
  }
}

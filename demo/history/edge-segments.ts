import { matchTrack } from '#server/mobility/trip-routes/match-track.ts'
import { openStreetGrid } from '#server/mobility/trip-routes/street-grid.ts'
import { type StreetLine, streetSegments } from '#server/mobility/trip-routes/street-segments.ts'
import type { City } from '../city.ts'

/** Segments of the streets layer in the order in which an edge is ridden from its beginning to its end, and the direction of each. */
export interface EdgeSegment {
  id: number
  direction: 1 | -1
}

/** The segments of each edge of a city's street graph, found as telemetry is matched: once for each edge in place of once for each trip. */
export function edgeSegments({ streets, layers }: Pick<City, 'streets' | 'layers'>): EdgeSegment[][] {
  const lines = layers
    .filter(({ level }) => level === 'basemap:street')
    .flatMap(({ features }) =>
      features.flatMap(({ geometry }): StreetLine[] =>
        geometry.type === 'LineString' ? [{ shapeUuid: '', coordinates: geometry.coordinates }] : [],
      ),
    )
  const grid = openStreetGrid(streetSegments(lines), streets.lat0)
  // The graph's metres begin at the city's origin, those of the grid at the equator.
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

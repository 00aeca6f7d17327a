import type { CityFeature } from '../city.ts'
import { type Point, toDegrees } from '../plane/point.ts'

/** Polygons in metres as one GeoJSON feature in degrees. */
export function areaFeature(
  polygons: readonly Point[][][],
  properties: CityFeature['properties'],
  origin: { lon: number; lat: number },
): CityFeature {
  const coordinates = polygons.map((rings) =>
    rings.map((ring) => ring.map((point) => toDegrees(origin.lon, origin.lat, point))),
  )
  return {
    type: 'Feature',
    properties,
    geometry:
      coordinates.length === 1
        ? { type: 'Polygon', coordinates: coordinates[0]! }
        : { type: 'MultiPolygon', coordinates },
  }
}

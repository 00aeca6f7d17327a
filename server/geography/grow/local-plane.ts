import type { Position } from 'geojson'
import proj4 from 'proj4'

interface LocalPlane {
  /** From longitude and latitude in degrees to metres east and north of the centre. */
  flatten(position: Position): Position
  /** Back to degrees. */
  lift(position: readonly [number, number]): Position
}

/**
 * A flat map in metres about a centre: azimuthal equidistant on the WGS 84 ellipsoid. Distances from the centre are true;
 * across, at d from it, they come out too long by (d/R)²/6, R = 6371 km: 0.01 ‰ at 50 km, 0.04 ‰ at 100 km, 1 ‰ at 490 km.
 */
export function localPlane(longitude: number, latitude: number): LocalPlane {
  const projection = proj4(`+proj=aeqd +lat_0=${latitude} +lon_0=${longitude} +ellps=WGS84 +units=m +no_defs`)
  return {
    flatten: ([x = 0, y = 0]) => projection.forward([x, y]),
    lift(position) {
      const [lon = 0, lat = 0] = projection.inverse([position[0], position[1]])
      // A shape at the edge of the map grows past it instead of tearing in two.
      const turns = Math.round((longitude - lon) / 360)
      return [lon + 360 * turns, lat]
    },
  }
}

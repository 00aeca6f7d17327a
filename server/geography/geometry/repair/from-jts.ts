import type { Position } from 'geojson'
import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'

/** The polygons of a JTS polygon, multipolygon or collection as GeoJSON coordinates, without empty ones. */
export function fromJts(geometry: Geometry): Position[][][] {
  const polygons: Position[][][] = []
  for (let index = 0; index < geometry.getNumGeometries(); index += 1) {
    const polygon = geometry.getGeometryN(index)
    if (polygon.isEmpty()) continue
    const rings = [positions(polygon.getExteriorRing())]
    for (let hole = 0; hole < polygon.getNumInteriorRing(); hole += 1)
      rings.push(positions(polygon.getInteriorRingN(hole)))
    polygons.push(rings)
  }
  return polygons
}

function positions(ring: Geometry): Position[] {
  return ring.getCoordinates().map(({ x, y }) => [x, y])
}

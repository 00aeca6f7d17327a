import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import IndexedPointInAreaLocator from 'jsts/org/locationtech/jts/algorithm/locate/IndexedPointInAreaLocator.js'
import RelateOp from 'jsts/org/locationtech/jts/operation/relate/RelateOp.js'
import type { BoundaryGeometry } from '#server/geography/formats/boundary-geometry.ts'
import { geometryBounds } from '#server/geography/formats/geometry-bounds.ts'
import { toJts } from '#server/geography/repair/to-jts.ts'
import { metresApart } from '#server/geography/metres-apart.ts'
import type { Area, Place } from './rule.ts'

/** A point stands for a circle of so many metres (STANDARDS.md, section 1). */
const pointRadius = 20
/** Of a point in an area, as JTS numbers it: 0 inside, 1 on the border, 2 outside. */
const outside = 2

type Test = (place: Place) => boolean

function testOf(geometry: BoundaryGeometry): Test {
  switch (geometry.type) {
    case 'Polygon':
    case 'MultiPolygon': {
      const [west, south, east, north] = geometryBounds([geometry])
      const locator = new IndexedPointInAreaLocator(
        geometry.type === 'Polygon'
          ? toJts.polygon(geometry.coordinates)
          : toJts.multiPolygon(geometry.coordinates),
      )
      return ({ lon, lat }) =>
        lon >= west &&
        lon <= east &&
        lat >= south &&
        lat <= north &&
        locator.locate(new Coordinate(lon, lat)) !== outside
    }
    case 'LineString':
    case 'MultiLineString': {
      const lines = (geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates).map(
        (line) => toJts.line(line),
      )
      return ({ lon, lat }) =>
        lines.some((line) => RelateOp.intersects(line, toJts.factory.createPoint(new Coordinate(lon, lat))))
    }
    case 'Point':
    case 'MultiPoint': {
      const centres = (geometry.type === 'Point' ? [geometry.coordinates] : geometry.coordinates).map(
        ([lon = 0, lat = 0]) => ({ lon, lat }),
      )
      return (place) => centres.some((centre) => metresApart(centre, place) <= pointRadius)
    }
  }
}

/** The ground of several geometries together: a border belongs to it, a point is a circle of 20 m, a place that is not known (NaN) is outside. @param geometries Valid, as `repairShape` returns them. */
export function areaOf(geometries: readonly BoundaryGeometry[]): Area {
  const tests = geometries.map(testOf)
  return { contains: (place) => !Number.isNaN(place.lon + place.lat) && tests.some((test) => test(place)) }
}

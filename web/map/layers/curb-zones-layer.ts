import type { Geometry, Position } from '#contract/place.ts'
import type { Scheme } from '#web/kit/theme.ts'
import type { MapLayer } from '../map-layer.ts'
import type { ShapeClass } from './shape-values.ts'
import { streetSideLayer } from './street-side-layer.ts'

interface Zone {
  id: string
  geometry: Geometry
}

/** The lines of a zone: of an area its outline. */
function linesOf(geometry: Geometry): Position[][] {
  switch (geometry.type) {
    case 'LineString':
      return [geometry.coordinates]
    case 'MultiLineString':
    case 'Polygon':
      return geometry.coordinates
    case 'MultiPolygon':
      return geometry.coordinates.flat()
    default:
      return []
  }
}

interface CurbZones {
  /** Name of the source. */
  key: string
  zones: readonly Zone[]
  classes: ReadonlyMap<string, ShapeClass>
  /** By class. */
  colors: readonly string[]
  scheme: Scheme
}

/** Curb zones where they are, as lines that are picked by their ids. */
export const curbZonesLayer = ({ key, zones, classes, colors, scheme }: CurbZones): MapLayer =>
  streetSideLayer({
    key,
    source: {
      type: 'geojson',
      promoteId: 'zone_id',
      data: {
        type: 'FeatureCollection',
        features: zones.flatMap(({ id, geometry }) =>
          linesOf(geometry).map((coordinates) => ({
            type: 'Feature' as const,
            geometry: { type: 'LineString' as const, coordinates },
            properties: { zone_id: id },
          })),
        ),
      },
    },
    sourceLayer: null,
    idProperty: 'zone_id',
    sideProperty: 'side',
    classes,
    colors,
    scheme,
  })

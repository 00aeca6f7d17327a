import type { Geometry, Position } from '#contract/place.ts'
import type { Scheme } from '#web/kit/theme.ts'
import type { MapLayer } from '../map-layer.ts'
import type { ShapeBin } from './shape-values.ts'
import { streetSideLayer } from './street-side-layer.ts'

interface Zone {
  id: string
  geometry: Geometry
}

/** Returns the lines of a zone; for an area, its outline. */
function getLines(geometry: Geometry): Position[][] {
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
  binById: ReadonlyMap<string, ShapeBin>
  /** Indexed by bin. */
  colors: readonly string[]
  scheme: Scheme
}

/** Curb zones as lines, drawn without an offset from the street. */
export const curbZonesLayer = ({ key, zones, binById, colors, scheme }: CurbZones): MapLayer =>
  streetSideLayer({
    key,
    source: {
      type: 'geojson',
      promoteId: 'zone_id',
      data: {
        type: 'FeatureCollection',
        features: zones.flatMap(({ id, geometry }) =>
          getLines(geometry).map((coordinates) => ({
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
    binById,
    colors,
    scheme,
  })

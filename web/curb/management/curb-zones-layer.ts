import type { Box } from '#contract/place.ts'
import type { MapLayer } from '#web/map/map-layer.ts'
import { streetSideLayer } from '#web/map/layers/street-side-layer.ts'
import type { ShapeBin } from '#web/map/layers/shape-values.ts'
import type { Scheme } from '#web/kit/theme.ts'
import type { ActivityZone } from './use-curb-activity.ts'

type Position = readonly number[]
type Geometry = ActivityZone['geometry']

/** Returns the lines of a zone, or the outlines of its areas. */
function getLines(geometry: Geometry): Position[][] {
  const { type, coordinates } = geometry as { type: string; coordinates: unknown }
  switch (type) {
    case 'LineString':
      return [coordinates as Position[]]
    case 'MultiLineString':
    case 'Polygon':
      return coordinates as Position[][]
    case 'MultiPolygon':
      return (coordinates as Position[][][]).flat()
    default:
      return []
  }
}

/** Returns the bounding box of a zone; null if it has no geometry. */
export function boxOfZone({ geometry }: Pick<ActivityZone, 'geometry'>): Box | null {
  const positions = getLines(geometry).flat()
  if (!positions.length) return null
  const lons = positions.map(([lon]) => lon ?? 0)
  const lats = positions.map(([, lat]) => lat ?? 0)
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)]
}

type Source = MapLayer['sources'][string]

/** Returns the geometry of zones as a source of the map. */
export const zonesSource = (zones: readonly Pick<ActivityZone, 'curb_zone_id' | 'geometry'>[]): Source =>
  ({
    type: 'geojson',
    promoteId: 'curb_zone_id',
    data: {
      type: 'FeatureCollection',
      // One feature per line; lines of a zone share the id and therefore the feature state.
      features: zones.flatMap(({ curb_zone_id, geometry }) =>
        getLines(geometry).map((coordinates) => ({
          type: 'Feature',
          properties: { curb_zone_id, side: 0 },
          geometry: { type: 'LineString', coordinates },
        })),
      ),
    },
  }) as unknown as Source

/** Creates a layer of zones as lines, colored by bin. */
export function curbZonesLayer({
  key,
  source,
  binById,
  colors,
  scheme,
}: {
  key: string
  source: Source
  binById: ReadonlyMap<string, ShapeBin>
  colors: readonly string[]
  scheme: Scheme
}): MapLayer {
  return streetSideLayer({
    key,
    source,
    sourceLayer: null,
    idProperty: 'curb_zone_id',
    sideProperty: 'side',
    binById,
    colors,
    scheme,
  })
}

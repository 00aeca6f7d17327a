import { MdsGeography } from '#contract/mds-policy.ts'
import type { Geometry } from '#contract/place.ts'
import { BoundaryFileError, GeometryProblem } from '#server/geography/boundary-files/boundary-file-error.ts'
import { toPlainGeometries } from '#server/geography/boundary-files/plain-geometries.ts'
import { PositionReader } from '#server/geography/boundary-files/position-reader.ts'

/** Longer names are cut off. */
const maxNameLength = 200

/** A parsed geography of a feed. */
export interface Place {
  id: string
  name: string
  /** Whether it is the entire area of the agency. */
  isEntireArea: boolean
  /** At most one geometry per dimension, not repaired. Empty if there is a `problem`. */
  geometries: Geometry[]
  problem: string | null
}

/** Returns the geometry of a feature, the geometries of a feature collection, or the geometry itself. */
function extractGeometry(geojson: unknown): unknown {
  if (typeof geojson !== 'object' || geojson === null) return null
  const { type, features, geometry } = geojson as Record<string, unknown>
  if (type === 'FeatureCollection')
    return {
      type: 'GeometryCollection',
      geometries: (Array.isArray(features) ? features : [])
        .map(extractGeometry)
        .filter((geometry) => geometry != null),
    }
  return type === 'Feature' ? geometry : geojson
}

/** Parses geographies by id. Other items are skipped; invalid geometries have a problem. */
export function readGeographies(items: readonly unknown[]): Map<string, Place> {
  const positions = new PositionReader()
  const places = new Map<string, Place>()
  for (const item of items) {
    const { data } = MdsGeography.safeParse(item)
    if (!data) continue
    const { geography_id: id, name, geography_type: type, geography_json: geojson } = data
    const place = {
      id,
      name: name.trim().slice(0, maxNameLength) || id,
      isEntireArea: type === 'municipal_boundary',
    }
    try {
      places.set(id, {
        ...place,
        geometries: toPlainGeometries(extractGeometry(geojson), positions) as Geometry[],
        problem: null,
      })
    } catch (error) {
      if (!(error instanceof GeometryProblem) && !(error instanceof BoundaryFileError)) throw error
      places.set(id, { ...place, geometries: [], problem: error.message })
    }
  }
  return places
}

import { MdsGeography } from '#contract/mds-policy.ts'
import type { Geometry } from '#contract/place.ts'
import { BoundaryFileError, GeometryProblem } from '#server/geography/boundary-files/boundary-file-error.ts'
import { plainGeometries } from '#server/geography/boundary-files/plain-geometries.ts'
import { PositionReader } from '#server/geography/boundary-files/position-reader.ts'

/** A geography of a feed. */
export interface Place {
  id: string
  name: string
  isWhole: boolean
  /** At most one per dimension, not repaired. Empty if there is a `fault`. */
  geometries: Geometry[]
  fault: string | null
}

type Drawn = Record<string, unknown>

/** The geometry of a feature, all those of a collection, or the geometry itself. */
function geometryOf(drawn: unknown): unknown {
  if (typeof drawn !== 'object' || drawn === null) return null
  const { type, features, geometry } = drawn as Drawn
  if (type === 'FeatureCollection')
    return {
      type: 'GeometryCollection',
      geometries: (Array.isArray(features) ? features : []).map(geometryOf).filter((each) => each != null),
    }
  return type === 'Feature' ? geometry : drawn
}

/** The geographies of a feed by id. Items that are no geographies are left out; one without a valid geometry has a fault. */
export function readGeographies(items: readonly unknown[]): Map<string, Place> {
  const positions = new PositionReader()
  const places = new Map<string, Place>()
  for (const item of items) {
    const { data } = MdsGeography.safeParse(item)
    if (!data) continue
    const { geography_id: id, name, geography_type: type, geography_json: drawn } = data
    const place = { id, name: name.trim().slice(0, 200) || id, isWhole: type === 'municipal_boundary' }
    try {
      places.set(id, {
        ...place,
        geometries: plainGeometries(geometryOf(drawn), positions) as Geometry[],
        fault: null,
      })
    } catch (error) {
      if (!(error instanceof GeometryProblem) && !(error instanceof BoundaryFileError)) throw error
      places.set(id, { ...place, geometries: [], fault: error.message })
    }
  }
  return places
}

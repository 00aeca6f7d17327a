import type { MdsGeography } from '#contract/mds-policy.ts'
import { GeometryProblem } from '#server/geography/formats/geometry-problem.ts'
import { plainGeometries } from '#server/geography/formats/plain-geometries.ts'
import { PositionReader } from '#server/geography/formats/position-reader.ts'
import { repairShape } from '#server/geography/repair-shape.ts'
import { areaOf } from '../area-of.ts'
import type { Area } from '../rule.ts'
import { RuleProblem } from './read-mds-rule.ts'

type Drawn = Record<string, unknown>

/** The geometry of a feature, of all features of a collection, or the geometry itself. */
function geometryOf(drawn: unknown): unknown {
  if (typeof drawn !== 'object' || drawn === null) return null
  const { type, features, geometry } = drawn as Drawn
  if (type === 'FeatureCollection') return { type: 'GeometryCollection', geometries: (Array.isArray(features) ? features : []).map(geometryOf).filter((each) => each !== null && each !== undefined) }
  return type === 'Feature' ? geometry : drawn
}

function areaOfGeography({ geography_id: id, geography_json: drawn }: MdsGeography): Area {
  try {
    return areaOf(plainGeometries(geometryOf(drawn), new PositionReader()).flatMap((geometry) => repairShape(geometry).geometry ?? []))
  } catch (error) {
    if (error instanceof GeometryProblem) throw new RuleProblem(`Geography ${id} ${error.message}.`)
    throw error
  }
}

/**
 * The ground of geographies by their ids, each read once.
 * @throws RuleProblem For one that is not there, or is no GeoJSON.
 */
export function mdsAreas(geographies: readonly MdsGeography[]): (ids: readonly string[]) => Area {
  const byId = new Map(geographies.map((geography) => [geography.geography_id, geography]))
  const read = new Map<string, Area>()
  const one = (id: string): Area => {
    const kept = read.get(id)
    if (kept) return kept
    const geography = byId.get(id)
    if (!geography) throw new RuleProblem(`There is no geography ${id}.`)
    const area = areaOfGeography(geography)
    read.set(id, area)
    return area
  }
  return (ids) => {
    const areas = ids.map(one)
    return { contains: (place) => areas.some((area) => area.contains(place)) }
  }
}

import { layerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { Box } from '#contract/place.ts'
import { planeAt } from './plane.ts'
import { type StreetLine, streetSegments } from './street-segments.ts'

/** A street segment as maps and lists show it. */
export interface NamedSegment {
  id: string
  street: string
  class: string
  lengthM: number
  /** Degrees from north, from its begin to its end. */
  heading: number
  box: Box
  coordinates: readonly [number, number][]
}

/** The segments of a region's streets layer. */
export interface StreetSegmentSet {
  /** Of the layer's content: another one means other segments. */
  version: string
  segments: ReadonlyMap<string, NamedSegment>
}

/** The level of a region's layer of streets: the one that routes are matched to. */
const streetLevel = 'basemap:street'

const segmentLength = (coordinates: readonly [number, number][]): number => {
  const plane = planeAt(coordinates[0]?.[1] ?? 0)
  return coordinates.reduce(
    (sum, [lon, lat], at) =>
      at === 0
        ? 0
        : sum +
          Math.hypot(
            plane.x(lon) - plane.x(coordinates[at - 1]![0]),
            plane.y(lat) - plane.y(coordinates[at - 1]![1]),
          ),
    0,
  )
}

const segmentHeading = (coordinates: readonly [number, number][]): number => {
  const [[lon0, lat0], [lon1, lat1]] = [coordinates[0]!, coordinates.at(-1)!]
  const plane = planeAt(lat0)
  return (
    (Math.round((Math.atan2(plane.x(lon1) - plane.x(lon0), plane.y(lat1) - plane.y(lat0)) * 180) / Math.PI) +
      360) %
    360
  )
}

const segmentBox = (coordinates: readonly [number, number][]): Box => [
  Math.min(...coordinates.map(([lon]) => lon)),
  Math.min(...coordinates.map(([, lat]) => lat)),
  Math.max(...coordinates.map(([lon]) => lon)),
  Math.max(...coordinates.map(([, lat]) => lat)),
]

/** Street segments with their names, by region; read again when the layer has changed. */
export class RouteStreets {
  readonly #state: State
  readonly #cache = new ComputedCache<StreetSegmentSet>({ max: 8 })
  constructor(state: State) {
    this.#state = state
  }

  /** Null where the region has no layer of streets. */
  async load(scope: Scope, regionId: string): Promise<StreetSegmentSet | null> {
    const layer = await this.#state
      .as(scope)
      .selectFrom('layer')
      .select(['layer_id', 'content_hash'])
      .where('region_id', '=', regionId)
      .where('level', '=', streetLevel)
      .orderBy('created_time')
      .executeTakeFirst()
    if (!layer) return null
    return this.#cache.get(`${layer.layer_id} ${layer.content_hash}`, () =>
      this.#read(scope, layer.layer_id, layer.content_hash),
    )
  }

  async #read(scope: Scope, layerId: string, version: string): Promise<StreetSegmentSet> {
    const shapes = await layerGeometries(this.#state, scope, layerId)
    const attributesById = new Map(
      shapes.map(({ shapeId, name, properties }) => [
        shapeId,
        { street: name, class: typeof properties['class'] === 'string' ? properties['class'] : '' },
      ]),
    )
    const lines = shapes.flatMap(({ shapeId, geometry }): StreetLine[] => {
      if (geometry.type === 'LineString') return [{ shapeUuid: shapeId, coordinates: geometry.coordinates }]
      return geometry.type === 'MultiLineString'
        ? geometry.coordinates.map((coordinates) => ({ shapeUuid: shapeId, coordinates }))
        : []
    })
    const segments = streetSegments(lines).map(({ id, shapeUuid, coordinates }): NamedSegment => ({
      id: String(id),
      street: attributesById.get(shapeUuid)?.street ?? '',
      class: attributesById.get(shapeUuid)?.class ?? '',
      lengthM: segmentLength(coordinates),
      heading: segmentHeading(coordinates),
      box: segmentBox(coordinates),
      coordinates,
    }))
    return { version, segments: new Map(segments.map((segment) => [segment.id, segment])) }
  }
}

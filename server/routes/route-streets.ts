import type { Box } from '#contract/place.ts'
import { computeBounds } from '#server/geography/boundary-files/geometry-bounds.ts'
import { findLayerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { createPlane } from './plane.ts'
import { findStreetLayer, toStreetLines } from './street-layer.ts'
import { makeStreetSegments } from './street-segments.ts'

/** A street segment with what maps and lists show of it. */
export interface NamedSegment {
  id: string
  street: string
  class: string
  lengthM: number
  /** The direction from its start to its end, in degrees clockwise from north. */
  heading: number
  box: Box
  coordinates: readonly [number, number][]
}

/** The segments of a region's streets layer. */
export interface StreetSegmentSet {
  /** The hash of the layer's content, which changes when segments do. */
  version: string
  segments: ReadonlyMap<string, NamedSegment>
}

/** Returns the length of a segment in meters. */
const measureSegment = (coordinates: readonly [number, number][]): number => {
  const plane = createPlane(coordinates[0]?.[1] ?? 0)
  let meters = 0
  for (let i = 1; i < coordinates.length; i++) {
    const [lon0, lat0] = coordinates[i - 1]!
    const [lon1, lat1] = coordinates[i]!
    meters += Math.hypot(plane.x(lon1) - plane.x(lon0), plane.y(lat1) - plane.y(lat0))
  }
  return meters
}

const getSegmentHeading = (coordinates: readonly [number, number][]): number => {
  const [lon0, lat0] = coordinates[0]!
  const [lon1, lat1] = coordinates.at(-1)!
  const plane = createPlane(lat0)
  const angle = Math.atan2(plane.x(lon1) - plane.x(lon0), plane.y(lat1) - plane.y(lat0))
  return (Math.round((angle * 180) / Math.PI) + 360) % 360
}

/** Reads the street segments of regions with their names. Cached until the layer changes. */
export class RouteStreets {
  readonly #state: State
  readonly #cache = new ComputedCache<StreetSegmentSet>({ max: 8 })
  constructor(state: State) {
    this.#state = state
  }

  /** Returns null if the region has no streets layer. */
  async load(scope: Scope, regionId: string): Promise<StreetSegmentSet | null> {
    const layer = await findStreetLayer(this.#state, scope, regionId)
    if (!layer) return null
    return this.#cache.get(`${layer.layer_id} ${layer.content_hash}`, () =>
      this.#read(scope, layer.layer_id, layer.content_hash),
    )
  }

  async #read(scope: Scope, layerId: string, version: string): Promise<StreetSegmentSet> {
    const shapes = await findLayerGeometries(this.#state, scope, layerId)
    const attributesById = new Map(
      shapes.map(({ shapeId, name, properties }) => [
        shapeId,
        { street: name, class: typeof properties['class'] === 'string' ? properties['class'] : '' },
      ]),
    )
    const segments = makeStreetSegments(toStreetLines(shapes)).map(
      ({ id, shapeUuid, coordinates }): NamedSegment => ({
        id: String(id),
        street: attributesById.get(shapeUuid)?.street ?? '',
        class: attributesById.get(shapeUuid)?.class ?? '',
        lengthM: measureSegment(coordinates),
        heading: getSegmentHeading(coordinates),
        box: computeBounds([{ type: 'LineString', coordinates: [...coordinates] }]),
        coordinates,
      }),
    )
    return { version, segments: new Map(segments.map((segment) => [segment.id, segment])) }
  }
}

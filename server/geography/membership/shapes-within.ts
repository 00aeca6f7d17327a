import { setImmediate as yieldThread } from 'node:timers/promises'
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import IndexedPointInAreaLocator from 'jsts/org/locationtech/jts/algorithm/locate/IndexedPointInAreaLocator.js'
import type JtsGeometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import RelateOp from 'jsts/org/locationtech/jts/operation/relate/RelateOp.js'
import type { z } from 'zod'
import type { listShapesLegacy, Shape } from '#contract/geography.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findLayer } from '../layers/find-layer.ts'
import { listShapes, findShapesById } from '../shapes/find-shapes.ts'
import { computeBounds } from '../boundary-files/geometry-bounds.ts'
import { toJts } from '../geometry/repair/jts.ts'

type ShapesWithinQuery = z.output<(typeof listShapesLegacy)['request']['body']>
type Bounds = ReturnType<typeof computeBounds>

const maxShapes = 100_000
/** Number of shapes that are compared before yielding to other requests. */
const shapesPerTurn = 25

/** Finds the shapes of a layer by name; with a boundary, only those that overlap one of its shapes. */
export async function findShapesWithin(
  state: State,
  scope: Scope,
  query: ShapesWithinQuery,
): Promise<Shape[]> {
  const listAll = async (layerId: string): Promise<Shape[]> =>
    (await listShapes(state, scope, query.region_id, { shape_layer_uuid: layerId, page: 1, size: maxShapes }))
      .items
  const shapes = await listAll(query.shape_layer_uuid)
  const boundaries = await findBoundaryShapes(state, scope, query, listAll)
  if (!boundaries) return shapes
  const overlapTests = boundaries.map(({ geom }) => createOverlapTest(geom as Geometry))
  const overlapping: Shape[] = []
  for (const [index, shape] of shapes.entries()) {
    if (index % shapesPerTurn === shapesPerTurn - 1) await yieldThread()
    if (overlapTests.some((overlaps) => overlaps(shape.geom as Geometry))) overlapping.push(shape)
  }
  return overlapping
}

/** Finds the shapes of the boundary; null if none is requested. */
async function findBoundaryShapes(
  state: State,
  scope: Scope,
  query: ShapesWithinQuery,
  listAll: (layerId: string) => Promise<Shape[]>,
): Promise<Shape[] | null> {
  const { boundary_shape_layer_uuid: layerId, boundary_shape_uuids: ids } = query
  if (!layerId && !ids?.length) return null
  if (layerId && !ids?.length) return listAll(layerId)
  const shapesById = await findShapesById(state.as(scope), ids ?? [])
  const layerIds = new Set([...shapesById.values()].map((shape) => shape.shape_layer_uuid))
  if (layerId) layerIds.add(layerId)
  // Throws if a layer is not in the region.
  for (const id of layerIds) await findLayer(state, scope, query.region_id, id)
  return (ids ?? []).map((id) => {
    const shape = shapesById.get(id)
    if (!shape || (layerId && shape.shape_layer_uuid !== layerId))
      throw new Problem('not_found', `There is no boundary shape ${id} in this layer.`)
    return shape
  })
}

/** Converts a geometry to JTS, in parts, because JTS cannot relate collections. */
function toJtsParts(geometry: Geometry): JtsGeometry[] {
  switch (geometry.type) {
    case 'Polygon':
      return [toJts.polygon(geometry.coordinates)]
    case 'MultiPolygon':
      return [toJts.multiPolygon(geometry.coordinates)]
    case 'LineString':
      return [toJts.line(geometry.coordinates)]
    case 'MultiLineString':
      return geometry.coordinates.map((line) => toJts.line(line))
    case 'Point':
      return [toJtsPoint(geometry.coordinates)]
    case 'MultiPoint':
      return geometry.coordinates.map(toJtsPoint)
    default:
      return []
  }
}

const toJtsPoint = ([lon = 0, lat = 0]: Position): JtsGeometry =>
  toJts.factory.createPoint(new Coordinate(lon, lat))
/** JTS's Location.INTERIOR. */
const insideLocation = 0
/** A pattern of the DE-9IM matrix of two geometries. */
const interiorsIntersect = 'T********'
const doBoxesIntersect = (a: Bounds, b: Bounds): boolean =>
  a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1]

/** Creates a test for whether the interiors of a boundary and another geometry intersect. */
export function createOverlapTest(boundary: Geometry): (geometry: Geometry) => boolean {
  const box = computeBounds([boundary])
  const parts = toJtsParts(boundary)
  const isArea = boundary.type === 'Polygon' || boundary.type === 'MultiPolygon'
  const locators = isArea ? parts.map((part) => new IndexedPointInAreaLocator(part)) : []
  return (geometry) => {
    if (!doBoxesIntersect(box, computeBounds([geometry]))) return false
    const otherParts = toJtsParts(geometry)
    const vertices = otherParts.flatMap((part) => part.getCoordinates())
    // Usually a vertex is inside the boundary. Relating two geometries takes far longer.
    if (locators.some((locator) => vertices.some((vertex) => locator.locate(vertex) === insideLocation)))
      return true
    return parts.some((part) =>
      otherParts.some((otherPart) => RelateOp.relate(part, otherPart).matches(interiorsIntersect)),
    )
  }
}

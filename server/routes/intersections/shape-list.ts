import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { type Box, type Geometry, isArea, getPolygons } from '#contract/place.ts'
import { computeBounds } from '#server/geography/boundary-files/geometry-bounds.ts'
import { growShape } from '#server/geography/geometry/grow-shape.ts'
import type { NumberedShape } from '#server/geography/membership/edge.ts'
import { countPositions } from '#server/geography/membership/read-layer-shapes.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'

/** The shapes of a layer with a buffer, which routes are intersected with. */
export interface ShapeList {
  /** Derived from layer, buffer and the shapes in their order, so an unchanged list has the same id. */
  listId: string
  layerId: string
  /** In meters. */
  buffer: number
  /** A hash of each geometry, in the layer's order: shape number n has index n - 1. */
  keys: readonly string[]
  shapeIds: readonly string[]
  geometries: readonly Geometry[]
}

/** Must be increased when the method of intersection changes, so that older results are not used. */
const keyVersion = 1
/** The number of shapes that are buffered before other work gets a turn: each takes about a millisecond. */
const shapesPerTurn = 10
/** The number of positions that are hashed before other work gets a turn. */
const positionsPerTurn = 10_000

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Builds the list of a layer's shapes in portions, so that other work is not delayed. */
export async function buildShapeList(
  layerId: string,
  buffer: number,
  shapes: readonly { shapeId: string; geometry: Geometry }[],
): Promise<ShapeList> {
  const keys: string[] = []
  let positionCount = 0
  for (const { geometry } of shapes) {
    keys.push(hashText(JSON.stringify([geometry.type, geometry.coordinates])).slice(0, 32))
    positionCount += countPositions(geometry)
    if (positionCount < positionsPerTurn) continue
    positionCount = 0
    await turn()
  }
  return {
    listId: deriveUuid([keyVersion, layerId, buffer, ...keys].join(' ')),
    layerId,
    buffer,
    keys,
    shapeIds: shapes.map(({ shapeId }) => shapeId),
    geometries: shapes.map(({ geometry }) => geometry),
  }
}

/**
 * Returns the buffered areas of a list's shapes, or only of those with the given numbers. Lines and points
 * are areas only with a buffer, as in layer-membership.
 */
export async function growAreas(
  { geometries, buffer }: Pick<ShapeList, 'geometries' | 'buffer'>,
  numbers?: ReadonlySet<number>,
): Promise<NumberedShape[]> {
  const areas: NumberedShape[] = []
  for (const [index, geometry] of geometries.entries()) {
    if (numbers && !numbers.has(index + 1)) continue
    if (buffer > 0 && areas.length % shapesPerTurn === shapesPerTurn - 1) await turn()
    const area = buffer > 0 ? growShape(geometry, buffer) : geometry
    if (area && isArea(area as Geometry))
      areas.push({ number: index + 1, rings: getPolygons(area as Parameters<typeof getPolygons>[0]).flat() })
  }
  return areas
}

/** Returns the bounding box of an area: west, south, east, north in degrees. */
export const getBoxOfArea = ({ rings }: NumberedShape): Box =>
  computeBounds([{ type: 'Polygon', coordinates: rings }])

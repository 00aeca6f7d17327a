import { setImmediate as yieldThread } from 'node:timers/promises'
import { type Geometry, isArea, getPolygons } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'

/** The columns of a shape that indexes and tiles need. */
export interface ReadShape {
  shapeId: string
  name: string
  geometry: Geometry
}

/** Number of positions that are read before yielding to other requests: about ten milliseconds. */
const positionsPerTurn = 5000
/** Limits of the number of shapes that one query reads. */
const minPageSize = 20
const maxPageSize = 500

export function countPositions(geometry: Geometry): number {
  if (isArea(geometry))
    return getPolygons(geometry).reduce(
      (sum, rings) => sum + rings.reduce((total, ring) => total + ring.length, 0),
      0,
    )
  if (geometry.type === 'MultiLineString')
    return geometry.coordinates.reduce((sum, line) => sum + line.length, 0)
  return geometry.type === 'Point' ? 1 : geometry.coordinates.length
}

/**
 * Reads all shapes of a layer in their order, page by page, because tens of thousands at once would block the
 * server for seconds.
 * @throws Problem `conflict` if the content hash of the layer is no longer `content` after the last page.
 */
export async function readLayerShapes(
  state: State,
  scope: Scope,
  layerId: string,
  content: string,
): Promise<ReadShape[]> {
  const shapes = await readPages(state.as(scope), layerId)
  const layer = await state
    .as(scope)
    .selectFrom('layer')
    .select('content_hash')
    .where('layer_id', '=', layerId)
    .executeTakeFirst()
  if (layer?.content_hash !== content) throw new Problem('conflict', 'The layer is being changed. Try again.')
  return shapes
}

/** Reads all shapes of a layer in pages of limited size, in the order of the layer. */
async function readPages(store: Store, layerId: string): Promise<ReadShape[]> {
  const shapes: ReadShape[] = []
  let size = 100
  let lastRow: { position: number; shape_uuid: string } | undefined
  for (;;) {
    const previous = lastRow
    const layerShapes = store.selectFrom('shape').where('layer_id', '=', layerId)
    const rows = await (
      previous
        ? layerShapes.where((eb) =>
            eb(eb.refTuple('position', 'shape_uuid'), '>', eb.tuple(previous.position, previous.shape_uuid)),
          )
        : layerShapes
    )
      .select(['shape_uuid', 'name', 'geometry', 'position'])
      .orderBy('position')
      .orderBy('shape_uuid')
      .limit(size)
      .execute()
    let positionCount = 0
    for (const row of rows) {
      const geometry = row.geometry as Geometry
      positionCount += countPositions(geometry)
      shapes.push({ shapeId: row.shape_uuid, name: row.name, geometry })
    }
    if (rows.length < size) return shapes
    lastRow = rows.at(-1)
    const bestSize = Math.round((size * positionsPerTurn) / Math.max(positionCount, 1))
    size = Math.max(minPageSize, Math.min(maxPageSize, bestSize))
    await yieldThread()
  }
}

import { setImmediate as turn } from 'node:timers/promises'
import { type Geometry, isArea, polygonsOf } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** A shape as far as indexes and tiles need it. */
export interface ReadShape {
  shapeId: string
  name: string
  geometry: Geometry
}

/** Positions that are read before others have their turn: some ten milliseconds. */
const positionsAtOnce = 5000
const [fewest, most] = [20, 500]

/** Positions of a geometry. */
export function positionsOf(geometry: Geometry): number {
  if (isArea(geometry))
    return polygonsOf(geometry).reduce(
      (sum, rings) => sum + rings.reduce((all, ring) => all + ring.length, 0),
      0,
    )
  if (geometry.type === 'MultiLineString')
    return geometry.coordinates.reduce((sum, line) => sum + line.length, 0)
  return geometry.type === 'Point' ? 1 : geometry.coordinates.length
}

/**
 * All shapes of a layer in their order, as they are where its content has the hash `content`. Page by page: read at once, tens of thousands of them
 * would hold up everybody else for seconds.
 * @throws Problem conflict, where the layer has changed since or meanwhile: nothing is made of pages of two contents.
 */
export async function layerShapesInTurns(
  state: State,
  scope: Scope,
  layerId: string,
  content: string,
): Promise<ReadShape[]> {
  const shapes = await shapesInPages(state, scope, layerId)
  const layer = await state
    .as(scope)
    .selectFrom('layer')
    .select('content_hash')
    .where('layer_id', '=', layerId)
    .executeTakeFirst()
  if (layer?.content_hash !== content) throw new Problem('conflict', 'The layer is being changed. Ask again.')
  return shapes
}

async function shapesInPages(state: State, scope: Scope, layerId: string): Promise<ReadShape[]> {
  const shapes: ReadShape[] = []
  let size = 100
  let last: { position: number; shape_uuid: string } | undefined
  for (;;) {
    const after = last
    const all = state.as(scope).selectFrom('shape').where('layer_id', '=', layerId)
    const rows = await (
      after
        ? all.where((is) =>
            is(is.refTuple('position', 'shape_uuid'), '>', is.tuple(after.position, after.shape_uuid)),
          )
        : all
    )
      .select(['shape_uuid', 'name', 'geometry', 'position'])
      .orderBy('position')
      .orderBy('shape_uuid')
      .limit(size)
      .execute()
    let positions = 0
    for (const row of rows) {
      const geometry = row.geometry as Geometry
      positions += positionsOf(geometry)
      shapes.push({ shapeId: row.shape_uuid, name: row.name, geometry })
    }
    if (rows.length < size) return shapes
    last = rows.at(-1)
    size = Math.max(fewest, Math.min(most, Math.round((size * positionsAtOnce) / Math.max(positions, 1))))
    await turn()
  }
}

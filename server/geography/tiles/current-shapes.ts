import { setImmediate as yieldThread } from 'node:timers/promises'
import type { Geometry } from '#contract/place.ts'
import type { Store } from '#server/stores/state.ts'
import { type TileSource, makeTileSource, type WorldBox } from './draw-tile.ts'

/** Selects the columns of a layer's shapes that tiles need. */
const selectTileRows = (store: Store, layerId: string) =>
  store
    .selectFrom('shape')
    .where('layer_id', '=', layerId)
    .select([
      'shape_uuid',
      'row_hash',
      'name',
      'geometry',
      ({ ref }) =>
        ref('properties', '->')
          .key('class' as never)
          .as('class'),
    ])

/** A shape of a layer with the hash of its name, class and geometry. */
export interface TileShape extends TileSource {
  hash: string
}

/** Number of shapes that are read before yielding to other requests. */
const shapesPerTurn = 1000

/** A layer's shapes in their order, and the places where they differ from the previous ones. */
export interface CurrentShapes {
  shapes: readonly TileShape[]
  /** Boxes of shapes that were added, changed or removed. */
  changedBoxes: readonly WorldBox[]
}

const toTileShape = ({
  shape_uuid,
  row_hash: hash,
  name,
  class: className,
  geometry,
}: Awaited<ReturnType<ReturnType<typeof selectTileRows>['execute']>>[number]): TileShape => ({
  ...makeTileSource(shape_uuid, geometry as Geometry, {
    shape_uuid,
    name,
    ...(typeof className === 'string' ? { class: className } : {}),
  }),
  hash,
})

/** Reads a layer's shapes in their order. Only shapes that differ from the `previous` ones are read. */
export async function readCurrentShapes(
  store: Store,
  layerId: string,
  previous: readonly TileShape[],
): Promise<CurrentShapes> {
  const previousById = new Map(previous.map((shape) => [shape.id, shape]))
  // Aggregated into one text, because reading one row per shape takes ten times as long.
  const summary = await store
    .selectFrom('shape')
    .where('layer_id', '=', layerId)
    .select(({ fn, val, cast }) => [
      fn.max('position').as('last'),
      fn
        .agg<string | null>('string_agg', [
          fn<string>('concat', ['shape_uuid', cast(val(' '), 'text'), 'row_hash']),
          val(','),
        ])
        .orderBy('position')
        .orderBy('shape_uuid')
        .as('stored'),
    ])
    .executeTakeFirst()
  const storedHashes = (summary?.stored ?? '')
    .split(',')
    .filter(Boolean)
    .map((entry) => entry.split(' ') as [id: string, hash: string])
  const changedIds = storedHashes
    .filter(([id, hash]) => previousById.get(id)?.hash !== hash)
    .map(([id]) => id)
  /** The shapes that differ from the previous ones, by id. */
  const changedShapes = new Map<string, TileShape>()
  const readRows = async (rows: ReturnType<ReturnType<typeof selectTileRows>['execute']>): Promise<void> => {
    for (const row of await rows)
      if (previousById.get(row.shape_uuid)?.hash !== row.row_hash)
        changedShapes.set(row.shape_uuid, toTileShape(row))
    await yieldThread()
  }
  // If many shapes have changed, the layer is read page by page; a few shapes are read by id.
  if (changedIds.length > storedHashes.length / 4)
    for (let from = 0; from <= (summary?.last ?? -1); from += shapesPerTurn)
      await readRows(
        selectTileRows(store, layerId)
          .where('position', '>=', from)
          .where('position', '<', from + shapesPerTurn)
          .execute(),
      )
  else
    for (let from = 0; from < changedIds.length; from += shapesPerTurn)
      await readRows(
        selectTileRows(store, layerId)
          .where('shape_uuid', 'in', changedIds.slice(from, from + shapesPerTurn))
          .execute(),
      )
  // A shape may have been deleted between the two queries.
  const shapes = storedHashes.flatMap(([id]) => changedShapes.get(id) ?? previousById.get(id) ?? [])
  const storedIds = new Set(storedHashes.map(([id]) => id))
  const replacedShapes = previous.filter(({ id }) => !storedIds.has(id) || changedShapes.has(id))
  return { shapes, changedBoxes: [...replacedShapes, ...changedShapes.values()].map(({ box }) => box) }
}

import { setImmediate as turn } from 'node:timers/promises'
import type { Geometry } from '#contract/place.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type WorldBox, type TileShape, toTileShape } from './tile-shape.ts'
import type { Kysely } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'

/** Shapes of a layer as far as tiles draw them. */
const selectTileRows = (store: Kysely<StateTables>, layerId: string) =>
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

/** Shapes that are read before others have their turn. */
const atOnce = 1000

export interface FreshShapes {
  shapes: readonly TileShape[]
  /** Where something was drawn that is gone, or is drawn that was not. */
  touched: readonly WorldBox[]
}

/** A layer's shapes as they are stored now, in their order: of those of before only what has changed is read again. */
export async function freshShapes(
  state: State,
  scope: Scope,
  layerId: string,
  before: readonly TileShape[],
): Promise<FreshShapes> {
  const known = new Map(before.map((shape) => [shape.id, shape]))
  // One long text: so many rows would take ten times as long.
  const list = await state
    .as(scope)
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
  const stored = (list?.stored ?? '')
    .split(',')
    .filter(Boolean)
    .map((each) => each.split(' ') as [id: string, hash: string])
  const wanted = stored.filter(([id, hash]) => known.get(id)?.hash !== hash).map(([id]) => id)
  const read = new Map<string, TileShape>()
  const take = async (rows: ReturnType<ReturnType<typeof selectTileRows>['execute']>): Promise<void> => {
    for (const row of await rows)
      if (known.get(row.shape_uuid)?.hash !== row.row_hash)
        read.set(row.shape_uuid, toTileShape({ ...row, geometry: row.geometry as Geometry }))
    await turn()
  }
  // Most of them: page by page of the layer; few: by name.
  if (wanted.length > stored.length / 4)
    for (let from = 0; from <= (list?.last ?? -1); from += atOnce)
      await take(
        selectTileRows(state.as(scope), layerId)
          .where('position', '>=', from)
          .where('position', '<', from + atOnce)
          .execute(),
      )
  else
    for (let from = 0; from < wanted.length; from += atOnce)
      await take(
        selectTileRows(state.as(scope), layerId)
          .where('shape_uuid', 'in', wanted.slice(from, from + atOnce))
          .execute(),
      )
  // A shape may have gone between the two questions.
  const shapes = stored.flatMap(([id]) => read.get(id) ?? known.get(id) ?? [])
  const there = new Set(stored.map(([id]) => id))
  const gone = before.filter(({ id }) => !there.has(id) || read.has(id))
  return { shapes, touched: [...gone, ...read.values()].map(({ box }) => box) }
}

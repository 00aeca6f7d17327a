import type { z } from 'zod'
import type { listShapes as contract, Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { likePattern } from '#server/stores/like-pattern.ts'
import type { KnownShape } from './edit/shape-edit.ts'
import { findLayer } from './find-layer.ts'
import { readShape } from './read-layer.ts'
import { selectShapes } from './select-rows.ts'
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'

/** Shapes of a layer with a text in their name (a pattern; null: any) whose box meets a box of west, south, east, north. */
function shapesMatching(layerId: string, like: string | null, box: readonly number[] | undefined) {
  return (is: ExpressionBuilder<StateTables, 'shape'>): ExpressionWrapper<StateTables, 'shape', SqlBool> => {
    const corner = (at: number) => is.cast<number>(is.ref('shape.bbox', '->').at(at as never), 'float8')
    const [west = -180, south = -90, east = 180, north = 90] = box ?? []
    return is.and([
      is('shape.layer_id', '=', layerId),
      ...(like === null ? [] : [is('shape.name', 'ilike', like)]),
      ...(box
        ? [
            is(corner(0), '<=', east),
            is(corner(2), '>=', west),
            is(corner(1), '<=', north),
            is(corner(3), '>=', south),
          ]
        : []),
    ])
  }
}

/** Shapes of a layer by name, one page. */
export async function listShapes(
  state: State,
  scope: Scope,
  regionId: string,
  ask: z.output<(typeof contract)['ask']['query']>,
) {
  await findLayer(state, scope, regionId, ask.shape_layer_uuid)
  const like = ask.text ? likePattern(ask.text) : null
  const matching = shapesMatching(ask.shape_layer_uuid, like, ask.box?.split(',').map(Number))
  const { total } = await state
    .as(scope)
    .selectFrom('shape')
    .where(matching)
    .select((of) => of.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  const found = selectShapes(state.as(scope)).where(matching)
  const rows = await found
    .orderBy('shape.name')
    .orderBy('position')
    .limit(ask.size)
    .offset((ask.page - 1) * ask.size)
    .execute()
  return { items: rows.map(readShape), total: Number(total), page: ask.page, size: ask.size }
}

/** One shape of the Scope. */
export async function findShape(
  state: State,
  scope: Scope,
  regionId: string,
  shapeId: string,
): Promise<Shape> {
  const row = await selectShapes(state.as(scope))
    .where('shape.region_id', '=', regionId)
    .where('shape_uuid', '=', shapeId)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such shape in this region.')
  return readShape(row)
}

/** Shapes by their id. */
export async function shapesById(
  state: State,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, Shape>> {
  const rows = ids.length ? await selectShapes(state.as(scope)).where('shape_uuid', 'in', ids).execute() : []
  return new Map(rows.map((row) => [row.shape_uuid, readShape(row)]))
}

/** The layer of a shape. One that was deleted after the editor saw it is still known by its history; without a time of seeing it is not found. */
export async function layerOfShape(
  state: State,
  scope: Scope,
  regionId: string,
  { shape_uuid: id, if_modified_time: seen }: KnownShape,
): Promise<string> {
  const from = seen === undefined ? ('shape' as const) : ('shape_version' as const)
  const row = await state
    .as(scope)
    .selectFrom(from)
    .select('layer_id')
    .where('region_id', '=', regionId)
    .where('shape_uuid', '=', id)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such shape in this region.')
  return row.layer_id
}

/** All geometries of a layer in their order: what tiles and membership are made of. */
export async function layerGeometries(
  state: State,
  scope: Scope,
  layerId: string,
): Promise<{ shapeId: string; name: string; geometry: Geometry; properties: Record<string, unknown> }[]> {
  const rows = await state
    .as(scope)
    .selectFrom('shape')
    .select(['shape_uuid', 'name', 'geometry', 'properties'])
    .where('layer_id', '=', layerId)
    .orderBy('position')
    .orderBy('shape_uuid')
    .execute()
  return rows.map((row) => ({
    shapeId: row.shape_uuid,
    name: row.name,
    geometry: row.geometry as Geometry,
    properties: row.properties,
  }))
}

import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { z } from 'zod'
import type { listShapes as contract, Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import { toLikePattern } from '#server/stores/list-query.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State, Store } from '#server/stores/state.ts'
import { findLayer } from '../layers/find-layer.ts'
import type { KnownShape } from './edit/shape-edit.ts'
import { readShape, selectShapes } from './read-shape.ts'

/**
 * Builds the condition for shapes of a layer by name (a `like` pattern; null: any) and by intersection with a
 * box (west, south, east, north).
 */
function shapeCondition(layerId: string, like: string | null, box: readonly number[] | undefined) {
  return (eb: ExpressionBuilder<StateTables, 'shape'>): ExpressionWrapper<StateTables, 'shape', SqlBool> => {
    const corner = (index: number) => eb.cast<number>(eb.ref('shape.bbox', '->').at(index as never), 'float8')
    const [west = -180, south = -90, east = 180, north = 90] = box ?? []
    return eb.and([
      eb('shape.layer_id', '=', layerId),
      ...(like === null ? [] : [eb('shape.name', 'ilike', like)]),
      ...(box
        ? [
            eb(corner(0), '<=', east),
            eb(corner(2), '>=', west),
            eb(corner(1), '<=', north),
            eb(corner(3), '>=', south),
          ]
        : []),
    ])
  }
}

/** Returns a page of a layer's shapes, sorted by name. */
export async function listShapes(
  state: State,
  scope: Scope,
  regionId: string,
  query: z.output<(typeof contract)['request']['query']>,
) {
  await findLayer(state, scope, regionId, query.shape_layer_uuid)
  const like = query.text ? toLikePattern(query.text) : null
  const condition = shapeCondition(query.shape_layer_uuid, like, query.box?.split(',').map(Number))
  const { total } = await state
    .as(scope)
    .selectFrom('shape')
    .where(condition)
    .select((eb) => eb.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await selectShapes(state.as(scope))
    .where(condition)
    .orderBy('shape.name')
    .orderBy('position')
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute()
  return { items: rows.map(readShape), total: Number(total), page: query.page, size: query.size }
}

/** Finds a shape of a region. @throws Problem `not_found` if there is none in the Scope. */
export async function findShape(store: Store, regionId: string, shapeId: string): Promise<Shape> {
  const row = await selectShapes(store)
    .where('shape.region_id', '=', regionId)
    .where('shape_uuid', '=', shapeId)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such shape in this region.'))
  return readShape(row)
}

/** Finds shapes; returns them by id. */
export async function findShapesById(store: Store, ids: readonly string[]): Promise<Map<string, Shape>> {
  const rows = ids.length ? await selectShapes(store).where('shape_uuid', 'in', ids).execute() : []
  return new Map(rows.map((row) => [row.shape_uuid, readShape(row)]))
}

/**
 * Finds the id of a shape's layer. With `if_modified_time`, it is found in the history, which includes
 * deleted shapes, so that a deletion is reported as a conflict.
 */
export async function findLayerIdOfShape(
  store: Store,
  regionId: string,
  { shape_uuid: id, if_modified_time: expectedTime }: KnownShape,
): Promise<string> {
  const table = expectedTime === undefined ? ('shape' as const) : ('shape_version' as const)
  const row = await store
    .selectFrom(table)
    .select('layer_id')
    .where('region_id', '=', regionId)
    .where('shape_uuid', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such shape in this region.'))
  return row.layer_id
}

/** Finds all geometries of a layer, in its order. */
export async function findLayerGeometries(
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

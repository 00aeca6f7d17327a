import type { z } from 'zod'
import type { listShapes as contract, Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findLayer } from './find-layer.ts'
import { readShape } from './read-layer.ts'

/** Shapes of a layer by name, one page. */
export async function listShapes(state: State, scope: Scope, regionId: string, ask: z.output<(typeof contract)['ask']['query']>) {
  await findLayer(state, scope, regionId, ask.shape_layer_uuid)
  let found = state.as(scope).selectFrom('shape').where('layer_id', '=', ask.shape_layer_uuid)
  if (ask.text) found = found.where('name', 'ilike', `%${ask.text.replace(/[\\%_]/g, '\\$&')}%`)
  const { total } = await found.select((of) => of.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const rows = await found.selectAll().orderBy('name').orderBy('position').limit(ask.size).offset((ask.page - 1) * ask.size).execute()
  return { items: rows.map(readShape), total: Number(total), page: ask.page, size: ask.size }
}

/** One shape of the Scope. */
export async function findShape(state: State, scope: Scope, regionId: string, shapeId: string): Promise<Shape> {
  const row = await state.as(scope).selectFrom('shape').selectAll().where('region_id', '=', regionId).where('shape_uuid', '=', shapeId).executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such shape in this region.')
  return readShape(row)
}

/** All geometries of a layer in their order: what tiles and membership are made of. */
export async function layerGeometries(state: State, scope: Scope, layerId: string): Promise<{ shapeId: string; name: string; geometry: Geometry; properties: Record<string, unknown> }[]> {
  const rows = await state.as(scope).selectFrom('shape').select(['shape_uuid', 'name', 'geometry', 'properties']).where('layer_id', '=', layerId).orderBy('position').orderBy('shape_uuid').execute()
  return rows.map((row) => ({ shapeId: row.shape_uuid, name: row.name, geometry: row.geometry as Geometry, properties: row.properties }))
}

/** Every geometry that a shape had, newest first. */
export async function shapeHistory(state: State, scope: Scope, regionId: string, shapeId: string) {
  await findShape(state, scope, regionId, shapeId)
  const rows = await state.as(scope).selectFrom('shape_geometry').selectAll().where('shape_uuid', '=', shapeId).orderBy('valid_from', 'desc').execute()
  return rows.map((row) => ({ geom: row.geometry as Geometry, valid_from: row.valid_from.toISOString(), valid_until: row.valid_until?.toISOString() ?? null, changed_by: row.changed_by }))
}

import type { ShapeAction, ShapeVersion } from '#contract/geography.ts'
import type { LayerAction, listLayerHistory as contract } from '#contract/geography-history.ts'
import type { Geometry } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { ScopedCall } from '#server/http/route.ts'
import { toLikePattern, countTotal } from '#server/stores/list-query.ts'
import type { State, Store } from '#server/stores/state.ts'
import { findLayer } from '../layers/find-layer.ts'

/** Finds all versions of a shape, newest first, also of a deleted one. @throws Problem `not_found` */
export async function findShapeHistory(
  store: Store,
  regionId: string,
  shapeId: string,
): Promise<ShapeVersion[]> {
  const rows = await store
    .selectFrom('shape_version')
    .leftJoin('user', 'user.id', 'shape_version.changed_by')
    .selectAll('shape_version')
    .select('user.name as changer')
    .where('region_id', '=', regionId)
    .where('shape_uuid', '=', shapeId)
    .orderBy('version')
    .execute()
  if (!rows.length) throw new Problem('not_found', 'There is no such shape in this region.')
  let geometry: unknown = null
  const versions = rows.map((row, index): ShapeVersion => {
    // Stored only if it has changed.
    geometry = row.geometry ?? geometry
    return {
      version: row.version,
      act: row.act as ShapeAction,
      changes: row.changes as ShapeVersion['changes'],
      shape_name: row.name,
      shape_description: row.description,
      geom: geometry as Geometry,
      valid_from: row.valid_from.toISOString(),
      valid_until: rows[index + 1]?.valid_from.toISOString() ?? null,
      changed_by: row.changer,
    }
  })
  return versions.reverse()
}

/** Returns a page of the changes of a layer's shapes, newest first. */
export async function findLayerHistory(
  state: State,
  {
    viewer: { scope },
    params: { region_id: regionId, shape_layer_uuid: layerId },
    query,
  }: ScopedCall<typeof contract, 'params' | 'query'>,
) {
  await findLayer(state, scope, regionId, layerId)
  const like = query.text ? toLikePattern(query.text) : null
  const selection = state
    .as(scope)
    .selectFrom('shape_version as v')
    .where('v.layer_id', '=', layerId)
    .$if(query.act !== undefined, (eb) => eb.where('v.act', '=', query.act ?? ''))
    .$if(like !== null, (eb) => eb.where('v.name', 'ilike', like))
  const total = await countTotal(selection)
  const rows = await selection
    .leftJoin('user', 'user.id', 'v.changed_by')
    .select([
      'v.shape_uuid',
      'v.version',
      'v.act',
      'v.changes',
      'v.name',
      'v.valid_from',
      'user.name as changer',
    ])
    .orderBy('v.valid_from', 'desc')
    .orderBy('v.shape_uuid')
    .orderBy('v.version', 'desc')
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute()
  const ids = rows.map((row) => row.shape_uuid)
  // Queried for the page only, because a join would read every shape of the layer.
  const existing = new Set(
    (ids.length
      ? await state
          .as(scope)
          .selectFrom('shape')
          .select('shape_uuid')
          .where('shape_uuid', 'in', ids)
          .execute()
      : []
    ).map((row) => row.shape_uuid),
  )
  const items = rows.map((row): LayerAction => ({
    shape_uuid: row.shape_uuid,
    version: row.version,
    act: row.act as ShapeAction,
    changes: row.changes as LayerAction['changes'],
    shape_name: row.name,
    changed_time: row.valid_from.toISOString(),
    changed_by: row.changer,
    is_deleted: !existing.has(row.shape_uuid),
  }))
  return { items, total, page: query.page, size: query.size }
}

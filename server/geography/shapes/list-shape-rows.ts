import type { listShapeRows as contract, ShapeRow } from '#contract/geography-use.ts'
import { toLikePattern, countTotal } from '#server/stores/list-query.ts'
import type { ScopedCall } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { findLayer } from '../layers/find-layer.ts'

/** Columns by which rows are sorted. */
const columns = {
  shape_name: 'shape.name',
  shape_id: 'shape.shape_id',
  modified_time: 'shape.modified_time',
} as const

/** Returns a page of a layer's shapes without geometry, searched and sorted. */
export async function listShapeRows(
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
    .selectFrom('shape')
    .where('layer_id', '=', layerId)
    .$if(like !== null, (eb) =>
      eb.where((is) =>
        is.or([
          is('shape.name', 'ilike', like),
          is('shape_id', 'ilike', like),
          is('description', 'ilike', like),
        ]),
      ),
    )
  const total = await countTotal(selection)
  const key = query.order_by.replace('-', '') as keyof typeof columns
  const rows = await selection
    .leftJoin('user', 'user.id', 'shape.modified_by')
    .select([
      'shape_uuid',
      'shape_id',
      'shape.name',
      'description',
      'kind',
      'bbox',
      'modified_time',
      'user.name as modifier',
    ])
    .orderBy(columns[key], query.order_by.startsWith('-') ? 'desc' : 'asc')
    .orderBy('position')
    .orderBy('shape_uuid')
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute()
  const items = rows.map((row): ShapeRow => ({
    shape_uuid: row.shape_uuid,
    shape_id: row.shape_id,
    shape_name: row.name,
    shape_description: row.description,
    geometry_type: row.kind ?? 'none',
    bbox: row.bbox,
    modified_time: row.modified_time.toISOString(),
    modified_by: row.modifier,
  }))
  return { items, total, page: query.page, size: query.size }
}

import { createHash } from 'node:crypto'
import type { Layer } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import type { Store } from '#server/stores/state.ts'
import { getNextModifiedTime } from '../shapes/edit/shape-row.ts'

const kindByType: Record<Geometry['type'], Layer['geometry_type']> = {
  Polygon: 'area',
  MultiPolygon: 'area',
  LineString: 'line',
  MultiLineString: 'line',
  Point: 'point',
  MultiPoint: 'point',
}

/**
 * Updates a layer's shape count, box, geometry type and content hash, within the transaction that changed its
 * shapes. Reads no geometries.
 */
export async function summarizeLayer(
  store: Store,
  layerId: string,
  userId: string | null,
  at: Date,
): Promise<void> {
  const { modified_time: previousTime } = await store
    .selectFrom('layer')
    .select('modified_time')
    .where('layer_id', '=', layerId)
    .executeTakeFirstOrThrow()
  const {
    count,
    rows,
    types: storedTypes,
    west,
    south,
    east,
    north,
  } = await store
    .selectFrom('shape')
    .where('layer_id', '=', layerId)
    .select(({ fn, cast, ref, val }) => {
      const corner = (index: number) => cast<number>(ref('bbox', '->').at(index as never), 'float8')
      return [
        fn.countAll<string>().as('count'),
        fn
          .agg<string | null>('string_agg', [fn<string>('concat', ['shape_uuid', 'row_hash']), val('')])
          .orderBy('position')
          .orderBy('shape_uuid')
          .as('rows'),
        fn.agg<string[] | null>('array_agg', ['kind']).distinct().as('types'),
        fn.min(corner(0)).as('west'),
        fn.min(corner(1)).as('south'),
        fn.max(corner(2)).as('east'),
        fn.max(corner(3)).as('north'),
      ]
    })
    .executeTakeFirstOrThrow()
  const kinds = [...new Set((storedTypes ?? []).map((type) => kindByType[type as Geometry['type']]))]
  await store
    .updateTable('layer')
    .set({
      shape_count: Number(count),
      geometry_type: kinds.length > 1 ? 'mixed' : (kinds[0] ?? 'none'),
      bbox: Number(count) ? JSON.stringify([west, south, east, north]) : null,
      content_hash: createHash('sha256')
        .update(rows ?? '')
        .digest('hex')
        .slice(0, 32),
      modified_by: userId,
      modified_time: getNextModifiedTime(previousTime, at),
    })
    .where('layer_id', '=', layerId)
    .execute()
}

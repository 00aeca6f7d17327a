import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Layer } from '#contract/geography.ts'
import type { Box, Geometry } from '#contract/place.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { geometryBounds } from './formats/geometry-bounds.ts'

const kinds: Record<Geometry['type'], Layer['geometry_type']> = { Polygon: 'area', MultiPolygon: 'area', LineString: 'line', MultiLineString: 'line', Point: 'point', MultiPoint: 'point' }

/** Brings a layer's count, box, kind and content hash up to its shapes; within the transaction that changed them. */
export async function summariseLayer(store: Kysely<StateTables>, layerId: string, at: Date): Promise<void> {
  const shapes = await store.selectFrom('shape').select(['shape_uuid', 'name', 'geometry']).where('layer_id', '=', layerId).orderBy('position').orderBy('shape_uuid').execute()
  const hash = createHash('sha256')
  for (const { shape_uuid, name, geometry } of shapes) hash.update(`${shape_uuid} ${name} ${JSON.stringify(geometry)}\n`)
  const geometries = shapes.map(({ geometry }) => geometry as Geometry)
  const found = [...new Set(geometries.map(({ type }) => kinds[type]))]
  const bbox: Box | null = geometries.length ? geometryBounds(geometries) : null
  await store
    .updateTable('layer')
    .set({
      shape_count: shapes.length,
      geometry_type: found.length > 1 ? 'mixed' : (found[0] ?? 'none'),
      bbox: bbox && JSON.stringify(bbox),
      content_hash: hash.digest('hex').slice(0, 32),
      modified_time: at,
    })
    .where('layer_id', '=', layerId)
    .execute()
}

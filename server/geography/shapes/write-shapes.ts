import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { toGeometryColumns, getNextModifiedTime } from './edit/shape-row.ts'
import { type EditContext, shapeTypes, storeDeleted } from './edit/store-edits.ts'
import { type NewVersion, writeFirstVersions, writeVersions } from './edit/write-versions.ts'
import { insertRows } from '#server/stores/insert-rows.ts'
import type { NamedShape } from '../boundary-files/name-shapes.ts'

/** Rows per statement: PostgreSQL allows 65,535 parameters. */
const rowsPerStatement = 500

/**
 * Replaces the shapes of a layer. Shapes with the same name retain their id. Earlier geometries and deleted
 * shapes remain in the history.
 */
export async function writeShapes(context: EditContext, shapes: readonly NamedShape[]): Promise<void> {
  const { store, regionId, layerId, userId, at } = context
  const storedRows = await store.selectFrom('shape').selectAll().where('layer_id', '=', layerId).execute()
  /** Stored shapes that are not in `shapes`, at the end. */
  const remaining = new Map(storedRows.map((row) => [row.name, row]))
  const created: { shape: NamedShape; id: string; position: number }[] = []
  const versions: NewVersion[] = []
  for (const [position, shape] of shapes.entries()) {
    const previous = remaining.get(shape.name)
    remaining.delete(shape.name)
    if (!previous) {
      created.push({ shape, id: randomUUID(), position })
      continue
    }
    const { shape_uuid: id, name, description } = previous
    if (previous.position !== position || !isDeepStrictEqual(previous.properties, shape.properties))
      await store
        .updateTable('shape')
        .set({ position, properties: JSON.stringify(shape.properties) })
        .where('shape_uuid', '=', id)
        .execute()
    const columns = toGeometryColumns(shape.geometry)
    if (JSON.stringify(previous.geometry) === columns.geometry) continue
    const time = getNextModifiedTime(previous.modified_time, at)
    await store
      .updateTable('shape')
      .set({ ...columns, modified_time: time, modified_by: userId })
      .where('shape_uuid', '=', id)
      .execute()
    versions.push({
      id,
      act: 'changed',
      changes: ['geometry'],
      name,
      description,
      geometry: columns.geometry,
      at: time,
    })
  }
  await writeVersions(store, context, versions)
  const deletedRows = [...remaining.values()]
  await storeDeleted(context, deletedRows, new Map(deletedRows.map((row) => [row.shape_uuid, row])))
  for (let from = 0; from < created.length; from += rowsPerStatement) {
    const rows = created.slice(from, from + rowsPerStatement).map(({ shape, id, position }) => ({
      shape_uuid: id,
      region_id: regionId,
      layer_id: layerId,
      position,
      shape_id: shape.shapeId,
      name: shape.name,
      ...toGeometryColumns(shape.geometry),
      properties: JSON.stringify(shape.properties),
      created_time: at,
      modified_time: at,
      modified_by: userId,
    }))
    await insertRows(store, 'shape', { ...shapeTypes, properties: 'jsonb' }, rows)
    await writeFirstVersions(context, { ids: rows.map(({ shape_uuid: id }) => id) })
  }
}

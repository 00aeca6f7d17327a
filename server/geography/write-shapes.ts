import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { geometryColumns, laterThan } from './edit/shape-row.ts'
import { type Editing, storeDeleted } from './edit/store-edits.ts'
import { type FreshVersion, writeVersions } from './edit/write-versions.ts'
import type { NamedShape } from './name-shapes.ts'

/** Rows of one statement; PostgreSQL takes 65,535 parameters. */
const rowsPerStatement = 500

/** Makes the layer hold exactly these shapes. A shape of the same name keeps its id; its earlier geometry stays in the history, as do those that go. */
export async function writeShapes(editing: Editing, shapes: readonly NamedShape[]): Promise<void> {
  const { store, regionId, layerId, by, at } = editing
  const there = new Map(
    (await store.selectFrom('shape').selectAll().where('layer_id', '=', layerId).execute()).map((row) => [
      row.name,
      row,
    ]),
  )
  const fresh: { shape: NamedShape; id: string; position: number }[] = []
  const versions: FreshVersion[] = []
  for (const [position, shape] of shapes.entries()) {
    const old = there.get(shape.name)
    there.delete(shape.name)
    if (!old) {
      fresh.push({ shape, id: randomUUID(), position })
      continue
    }
    const { shape_uuid: id, name, description } = old
    if (old.position !== position || !isDeepStrictEqual(old.properties, shape.properties))
      await store
        .updateTable('shape')
        .set({ position, properties: JSON.stringify(shape.properties) })
        .where('shape_uuid', '=', id)
        .execute()
    const columns = geometryColumns(shape.geometry)
    if (JSON.stringify(old.geometry) === columns.geometry) continue
    const time = laterThan(old.modified_time, at)
    await store
      .updateTable('shape')
      .set({ ...columns, modified_time: time, modified_by: by })
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
  await writeVersions(store, editing, versions)
  const gone = new Map([...there.values()].map((row) => [row.shape_uuid, row]))
  await storeDeleted(
    editing,
    [...gone.keys()].map((id) => ({ shape_uuid: id })),
    gone,
  )
  for (let from = 0; from < fresh.length; from += rowsPerStatement) {
    const rows = fresh.slice(from, from + rowsPerStatement).map(({ shape, id, position }) => ({
      shape_uuid: id,
      region_id: regionId,
      layer_id: layerId,
      position,
      shape_id: shape.shapeId,
      name: shape.name,
      ...geometryColumns(shape.geometry),
      properties: JSON.stringify(shape.properties),
      created_time: at,
      modified_time: at,
      modified_by: by,
    }))
    await store.insertInto('shape').values(rows).execute()
    await writeVersions(
      store,
      editing,
      rows.map(({ shape_uuid: id, name, geometry }) => ({
        id,
        act: 'created',
        changes: ['name', 'geometry'],
        name,
        description: null,
        geometry,
        at,
      })),
      true,
    )
  }
}

import { randomUUID } from 'node:crypto'
import { type ColumnTypes, insertRows } from '#server/stores/insert-rows.ts'
import { toGeometryColumns, getDeletedColumns, getNextModifiedTime, type ShapeRow } from './shape-row.ts'
import type { KnownShape, NewShape, ShapeEdit } from './shape-edit.ts'
import { type NewVersion, writeFirstVersions, writeVersions } from './write-versions.ts'
import type { Store } from '#server/stores/state.ts'

/** The transaction, layer, user and time of edits. */
export interface EditContext {
  store: Store
  regionId: string
  layerId: string
  userId: string | null
  at: Date
}

/** Types of the columns of a new shape, for `insertRows`. */
export const shapeTypes: ColumnTypes<'shape'> = {
  shape_uuid: 'uuid',
  region_id: 'text',
  layer_id: 'uuid',
  position: 'integer',
  shape_id: 'text',
  name: 'text',
  description: 'text',
  geometry: 'jsonb',
  bbox: 'jsonb',
  created_time: 'timestamptz',
  modified_time: 'timestamptz',
  modified_by: 'text',
}

/** Rows per statement: PostgreSQL allows 65,535 parameters. */
const rowsPerStatement = 500

/** Finds the position of the next shape that is added to a layer. */
export async function findNextPosition({ store, layerId }: EditContext): Promise<number> {
  const last = await store
    .selectFrom('shape')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('layer_id', '=', layerId)
    .executeTakeFirst()
  return (last?.position ?? -1) + 1
}

/** Adds shapes after the existing ones. Returns their ids. */
export async function storeNew(context: EditContext, created: readonly NewShape[]): Promise<string[]> {
  const { store, regionId, layerId, userId, at } = context
  const firstPosition = await findNextPosition(context)
  const rows = created.map((shape, index) => {
    const { shape_name: name, shape_description: description = null, geom } = shape
    const id = shape.shape_uuid ?? randomUUID()
    return {
      shape_uuid: id,
      region_id: regionId,
      layer_id: layerId,
      position: firstPosition + index,
      shape_id: id,
      name,
      description,
      ...toGeometryColumns(geom),
      created_time: at,
      modified_time: at,
      modified_by: userId,
    }
  })
  await insertRows(store, 'shape', shapeTypes, rows)
  await writeFirstVersions(context, { fromPosition: firstPosition })
  return rows.map(({ shape_uuid: id }) => id)
}

/** Changes shapes. Edits without a difference create no version. */
export async function storeChanged(
  context: EditContext,
  changed: readonly ShapeEdit[],
  rows: ReadonlyMap<string, ShapeRow>,
  act: 'changed' | 'restored' = 'changed',
): Promise<void> {
  const { store, userId } = context
  const versions: NewVersion[] = []
  for (const edit of changed) {
    const row = rows.get(edit.shape_uuid)
    if (!row) continue
    const { shape_name: name = row.name, shape_description: description = row.description, geom } = edit
    const columns =
      geom && JSON.stringify(geom) !== JSON.stringify(row.geometry) ? toGeometryColumns(geom) : null
    const changes: NewVersion['changes'] = [
      ...(name === row.name ? [] : ['name' as const]),
      ...(description === row.description ? [] : ['description' as const]),
      ...(columns ? ['geometry' as const] : []),
    ]
    if (!changes.length) continue
    const at = getNextModifiedTime(row.modified_time, context.at)
    await store
      .updateTable('shape')
      .set({ name, description, ...columns, modified_time: at, modified_by: userId })
      .where('shape_uuid', '=', row.shape_uuid)
      .execute()
    versions.push({
      id: row.shape_uuid,
      act,
      changes,
      name,
      description,
      geometry: columns?.geometry ?? null,
      at,
    })
  }
  await writeVersions(store, context, versions)
}

/** Deletes shapes. Their history is retained, with all columns that are needed to restore them. */
export async function storeDeleted(
  context: EditContext,
  deleted: readonly KnownShape[],
  rows: ReadonlyMap<string, ShapeRow>,
): Promise<void> {
  const { store } = context
  const deletedRows = deleted.flatMap(({ shape_uuid: id }) => rows.get(id) ?? [])
  const versions = deletedRows.map((row): NewVersion => ({
    id: row.shape_uuid,
    act: 'deleted',
    changes: [],
    name: row.name,
    description: row.description,
    geometry: null,
    kept: getDeletedColumns(row),
    at: getNextModifiedTime(row.modified_time, context.at),
  }))
  await writeVersions(store, context, versions)
  for (let from = 0; from < deletedRows.length; from += rowsPerStatement)
    await store
      .deleteFrom('shape')
      .where(
        'shape_uuid',
        'in',
        deletedRows.slice(from, from + rowsPerStatement).map(({ shape_uuid: id }) => id),
      )
      .execute()
}

import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'
import { geometryColumns, keptOf, laterThan, type ShapeRow } from './shape-row.ts'
import type { KnownShape, NewShape, ShapeEdit } from './shape-edit.ts'
import { type FreshVersion, writeVersions } from './write-versions.ts'

/** Whose edits of which layer. */
export interface Editing {
  store: Kysely<StateTables>
  regionId: string
  layerId: string
  by: string | null
  at: Date
}

/** Rows of one statement; PostgreSQL takes 65,535 parameters. */
const atOnce = 500

/** Adds shapes behind those that are there; answers their ids. */
export async function storeNew(editing: Editing, created: readonly NewShape[]): Promise<string[]> {
  const { store, regionId, layerId, by, at } = editing
  const last = await store
    .selectFrom('shape')
    .select((of) => of.fn.max('position').as('position'))
    .where('layer_id', '=', layerId)
    .executeTakeFirst()
  const first = (last?.position ?? -1) + 1
  const rows = created.map(({ shape_name: name, shape_description: description = null, geom }, index) => {
    const id = randomUUID()
    return {
      shape_uuid: id,
      region_id: regionId,
      layer_id: layerId,
      position: first + index,
      shape_id: id,
      name,
      description,
      ...geometryColumns(geom),
      created_time: at,
      modified_time: at,
      modified_by: by,
    }
  })
  for (let from = 0; from < rows.length; from += atOnce)
    await store
      .insertInto('shape')
      .values(rows.slice(from, from + atOnce))
      .execute()
  const versions = rows.map(({ shape_uuid: id, name, description, geometry }): FreshVersion => ({
    id,
    act: 'created',
    changes: description === null ? ['name', 'geometry'] : ['name', 'description', 'geometry'],
    name,
    description,
    geometry,
    at,
  }))
  await writeVersions(store, editing, versions, true)
  return rows.map(({ shape_uuid: id }) => id)
}

/** Changes shapes; what is as it was makes no version. */
export async function storeChanged(
  editing: Editing,
  changed: readonly ShapeEdit[],
  rows: ReadonlyMap<string, ShapeRow>,
  act: 'changed' | 'restored' = 'changed',
): Promise<void> {
  const { store, by } = editing
  const versions: FreshVersion[] = []
  for (const edit of changed) {
    const row = rows.get(edit.shape_uuid)
    if (!row) continue
    const { shape_name: name = row.name, shape_description: description = row.description, geom } = edit
    const columns =
      geom && JSON.stringify(geom) !== JSON.stringify(row.geometry) ? geometryColumns(geom) : null
    const changes: FreshVersion['changes'] = [
      ...(name === row.name ? [] : ['name' as const]),
      ...(description === row.description ? [] : ['description' as const]),
      ...(columns ? ['geometry' as const] : []),
    ]
    if (!changes.length) continue
    const at = laterThan(row.modified_time, editing.at)
    await store
      .updateTable('shape')
      .set({ name, description, ...columns, modified_time: at, modified_by: by })
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
  await writeVersions(store, editing, versions)
}

/** Deletes shapes; their histories stay, with all that is needed to bring them back. */
export async function storeDeleted(
  editing: Editing,
  deleted: readonly KnownShape[],
  rows: ReadonlyMap<string, ShapeRow>,
): Promise<void> {
  const { store } = editing
  const gone = deleted.flatMap(({ shape_uuid: id }) => rows.get(id) ?? [])
  const versions = gone.map((row): FreshVersion => ({
    id: row.shape_uuid,
    act: 'deleted',
    changes: [],
    name: row.name,
    description: row.description,
    geometry: null,
    kept: keptOf(row),
    at: laterThan(row.modified_time, editing.at),
  }))
  await writeVersions(store, editing, versions)
  for (let from = 0; from < gone.length; from += atOnce)
    await store
      .deleteFrom('shape')
      .where(
        'shape_uuid',
        'in',
        gone.slice(from, from + atOnce).map(({ shape_uuid: id }) => id),
      )
      .execute()
}

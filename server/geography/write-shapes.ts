import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { NamedShape } from './name-shapes.ts'

interface Where {
  regionId: string
  layerId: string
  by: string | null
  at: Date
}

/** Rows of one statement; PostgreSQL takes 65,535 parameters. */
const atOnce = 500

/** Makes the layer hold exactly these shapes. A shape of the same name keeps its id; its earlier geometry ends in the history. */
export async function writeShapes(store: Kysely<StateTables>, { regionId, layerId, by, at }: Where, shapes: readonly NamedShape[]): Promise<void> {
  const there = new Map((await store.selectFrom('shape').select(['shape_uuid', 'name', 'geometry']).where('layer_id', '=', layerId).execute()).map((row) => [row.name, row]))
  const fresh: { shape: NamedShape; id: string; position: number }[] = []
  const versions: { id: string; geometry: string }[] = []
  for (const [position, shape] of shapes.entries()) {
    const old = there.get(shape.name)
    there.delete(shape.name)
    const geometry = JSON.stringify(shape.geometry)
    if (!old) {
      const id = randomUUID()
      fresh.push({ shape, id, position })
      versions.push({ id, geometry })
      continue
    }
    await store.updateTable('shape').set({ position, properties: JSON.stringify(shape.properties) }).where('shape_uuid', '=', old.shape_uuid).execute()
    if (JSON.stringify(old.geometry) === geometry) continue
    await store.updateTable('shape').set({ geometry, modified_time: at }).where('shape_uuid', '=', old.shape_uuid).execute()
    await store.updateTable('shape_geometry').set({ valid_until: at }).where('shape_uuid', '=', old.shape_uuid).where('valid_until', 'is', null).execute()
    versions.push({ id: old.shape_uuid, geometry })
  }
  const gone = [...there.values()].map((row) => row.shape_uuid)
  for (let from = 0; from < gone.length; from += atOnce) await store.deleteFrom('shape').where('shape_uuid', 'in', gone.slice(from, from + atOnce)).execute()
  for (let from = 0; from < fresh.length; from += atOnce)
    await store
      .insertInto('shape')
      .values(
        fresh.slice(from, from + atOnce).map(({ shape, id, position }) => ({
          shape_uuid: id, region_id: regionId, layer_id: layerId, position, shape_id: shape.shapeId, name: shape.name, geometry: JSON.stringify(shape.geometry),
          properties: JSON.stringify(shape.properties), created_time: at, modified_time: at,
        })),
      )
      .execute()
  for (let from = 0; from < versions.length; from += atOnce)
    await store
      .insertInto('shape_geometry')
      .values(versions.slice(from, from + atOnce).map(({ id, geometry }) => ({ shape_uuid: id, region_id: regionId, geometry, valid_from: at, changed_by: by })))
      .execute()
}

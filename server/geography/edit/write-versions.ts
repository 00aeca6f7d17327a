import type { Kysely } from 'kysely'
import type { ShapeAction, ShapeVersion } from '#contract/geography.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

/** What became of a shape, to be added to its history. */
export interface FreshVersion {
  id: string
  act: ShapeAction
  changes: ShapeVersion['changes']
  name: string
  description: string | null
  /** JSON; null where it is that of the version before. */
  geometry: string | null
  /** Of a deleted shape: what else it had, JSON. */
  kept?: string
  at: Date
}

interface Where {
  regionId: string
  layerId: string
  by: string | null
}

/** Rows of one statement; PostgreSQL takes 65,535 parameters. */
const atOnce = 500

/** Adds versions to the histories of shapes; `isFirst` where none of them has one. Under the layer's lock, so that no number is taken twice. */
export async function writeVersions(
  store: Kysely<StateTables>,
  { regionId, layerId, by }: Where,
  versions: readonly FreshVersion[],
  isFirst = false,
): Promise<void> {
  for (let from = 0; from < versions.length; from += atOnce) {
    const some = versions.slice(from, from + atOnce)
    const last = new Map<string, number>()
    if (!isFirst) {
      const rows = await store
        .selectFrom('shape_version')
        .select(['shape_uuid', (of) => of.fn.max('version').as('version')])
        .where(
          'shape_uuid',
          'in',
          some.map(({ id }) => id),
        )
        .groupBy('shape_uuid')
        .execute()
      for (const row of rows) last.set(row.shape_uuid, row.version)
    }
    await store
      .insertInto('shape_version')
      .values(
        some.map(({ id, act, changes, name, description, geometry, kept, at }) => ({
          shape_uuid: id,
          version: (last.get(id) ?? 0) + 1,
          region_id: regionId,
          layer_id: layerId,
          act,
          changes: JSON.stringify(changes),
          name,
          description,
          geometry,
          kept: kept ?? null,
          valid_from: at,
          changed_by: by,
        })),
      )
      .execute()
  }
}

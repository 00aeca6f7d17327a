import type { Kysely } from 'kysely'
import type { ShapeAction, ShapeVersion } from '#contract/geography.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

/** A version to add to the history of a shape. */
export interface NewVersion {
  id: string
  act: ShapeAction
  changes: ShapeVersion['changes']
  name: string
  description: string | null
  /** JSON; null if it is that of the previous version. */
  geometry: string | null
  /** Other columns of a deleted shape, as JSON. */
  kept?: string
  at: Date
}

interface VersionContext {
  regionId: string
  layerId: string
  by: string | null
}

/** Rows per statement: PostgreSQL allows 65,535 parameters. */
const rowsPerStatement = 500

/**
 * Adds versions to the histories of shapes; `isFirst`: none of them has one. The layer must be locked, so
 * that version numbers are unique.
 */
export async function writeVersions(
  store: Kysely<StateTables>,
  { regionId, layerId, by }: VersionContext,
  versions: readonly NewVersion[],
  isFirst = false,
): Promise<void> {
  for (let from = 0; from < versions.length; from += rowsPerStatement) {
    const batch = versions.slice(from, from + rowsPerStatement)
    const last = new Map<string, number>()
    if (!isFirst) {
      const rows = await store
        .selectFrom('shape_version')
        .select(['shape_uuid', (eb) => eb.fn.max('version').as('version')])
        .where(
          'shape_uuid',
          'in',
          batch.map(({ id }) => id),
        )
        .groupBy('shape_uuid')
        .execute()
      for (const row of rows) last.set(row.shape_uuid, row.version)
    }
    await store
      .insertInto('shape_version')
      .values(
        batch.map(({ id, act, changes, name, description, geometry, kept, at }) => ({
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

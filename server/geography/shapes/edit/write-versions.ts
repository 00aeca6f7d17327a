import type { ShapeAction, ShapeVersion } from '#contract/geography.ts'
import type { Store } from '#server/stores/state.ts'

/** A version to add to the history of a shape. */
export interface NewVersion {
  id: string
  act: ShapeAction
  changes: ShapeVersion['changes']
  name: string
  description: string | null
  /** JSON; null if unchanged since the previous version. */
  geometry: string | null
  /** Other columns of a deleted shape, as JSON. */
  kept?: string
  at: Date
}

interface VersionContext {
  regionId: string
  layerId: string
  userId: string | null
}

/** Rows per statement: PostgreSQL allows 65,535 parameters. */
const rowsPerStatement = 500

/** Adds versions to the histories of shapes. The layer must be locked, so that version numbers are unique. */
export async function writeVersions(
  store: Store,
  { regionId, layerId, userId }: VersionContext,
  versions: readonly NewVersion[],
): Promise<void> {
  for (let from = 0; from < versions.length; from += rowsPerStatement) {
    const batch = versions.slice(from, from + rowsPerStatement)
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
    const lastVersions = new Map(rows.map((row) => [row.shape_uuid, row.version]))
    await store
      .insertInto('shape_version')
      .values(
        batch.map(({ id, act, changes, name, description, geometry, kept, at }) => ({
          shape_uuid: id,
          version: (lastVersions.get(id) ?? 0) + 1,
          region_id: regionId,
          layer_id: layerId,
          act,
          changes: JSON.stringify(changes),
          name,
          description,
          geometry,
          kept: kept ?? null,
          valid_from: at,
          changed_by: userId,
        })),
      )
      .execute()
  }
}

/**
 * Adds the version `created` of new shapes. Deleted shapes may have had the same ids, so version numbers
 * continue theirs.
 * @param created the ids of the shapes, or the position in the layer from which all shapes are new
 */
export async function writeFirstVersions(
  { store, regionId, layerId, userId }: VersionContext & { store: Store },
  created: { fromPosition: number } | { ids: readonly string[] },
): Promise<void> {
  await store
    .insertInto('shape_version')
    .columns([
      'shape_uuid',
      'version',
      'region_id',
      'layer_id',
      'act',
      'changes',
      'name',
      'description',
      'geometry',
      'valid_from',
      'changed_by',
    ])
    .expression((eb) =>
      eb
        .selectFrom('shape')
        .select((is) => [
          'shape_uuid',
          is(
            is.fn.coalesce(
              is
                .selectFrom('shape_version')
                .select((versions) => versions.fn.max('version').as('version'))
                .whereRef('shape_version.shape_uuid', '=', 'shape.shape_uuid'),
              is.lit(0),
            ),
            '+',
            is.lit(1),
          ).as('version'),
          is.val(regionId).as('region_id'),
          'layer_id',
          is.val('created').as('act'),
          is
            .case()
            .when('description', 'is', null)
            .then(is.cast<string>(is.val('["name","geometry"]'), 'jsonb'))
            .else(is.cast<string>(is.val('["name","description","geometry"]'), 'jsonb'))
            .end()
            .as('changes'),
          'name',
          'description',
          'geometry',
          'created_time as valid_from',
          is.val(userId).as('changed_by'),
        ])
        .where('layer_id', '=', layerId)
        .where((is) =>
          'ids' in created ? is('shape_uuid', 'in', created.ids) : is('position', '>=', created.fromPosition),
        )
        // Inserting in the order of both indexes takes two thirds of the time.
        .orderBy('shape.shape_uuid'),
    )
    .execute()
}

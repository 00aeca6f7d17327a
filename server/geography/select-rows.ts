import type { Kysely } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'

/** Layers with the name of who changed them last, and how far their hourly counts are, of the content as it is now. */
export const selectLayers = (store: Kysely<StateTables>) =>
  store
    .selectFrom('layer')
    .leftJoin('user', 'user.id', 'layer.modified_by')
    .selectAll('layer')
    .select('user.name as modifier')
    .select((of) =>
      of
        .selectFrom('cube_layer')
        .select('status')
        .whereRef('cube_layer.layer_id', '=', 'layer.layer_id')
        .whereRef('cube_layer.content_hash', '=', 'layer.content_hash')
        .as('cube_status'),
    )

/** Shapes likewise. */
export const selectShapes = (store: Kysely<StateTables>) =>
  store
    .selectFrom('shape')
    .leftJoin('user', 'user.id', 'shape.modified_by')
    .selectAll('shape')
    .select('user.name as modifier')

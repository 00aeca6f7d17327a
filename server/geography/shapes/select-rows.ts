import type { Store } from '#server/stores/state.ts'

/**
 * Selects layers with the name of the user who last changed them, and the status of the cubes of their
 * current content.
 */
export const selectLayers = (store: Store) =>
  store
    .selectFrom('layer')
    .leftJoin('user', 'user.id', 'layer.modified_by')
    .selectAll('layer')
    .select('user.name as modifier')
    .select((eb) =>
      eb
        .selectFrom('cube_layer')
        .select('status')
        .whereRef('cube_layer.layer_id', '=', 'layer.layer_id')
        .whereRef('cube_layer.content_hash', '=', 'layer.content_hash')
        .as('cube_status'),
    )

/** Selects shapes with the name of the user who last changed them. */
export const selectShapes = (store: Store) =>
  store
    .selectFrom('shape')
    .leftJoin('user', 'user.id', 'shape.modified_by')
    .selectAll('shape')
    .select('user.name as modifier')

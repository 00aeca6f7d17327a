import type { Kysely } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'

/** Layers with the name of who changed them last. */
export const selectLayers = (store: Kysely<StateTables>) => store.selectFrom('layer').leftJoin('user', 'user.id', 'layer.modified_by').selectAll('layer').select('user.name as modifier')

/** Shapes likewise. */
export const selectShapes = (store: Kysely<StateTables>) => store.selectFrom('shape').leftJoin('user', 'user.id', 'shape.modified_by').selectAll('shape').select('user.name as modifier')

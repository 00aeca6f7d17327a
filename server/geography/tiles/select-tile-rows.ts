import type { Kysely } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'

/** Shapes of a layer as far as tiles draw them. */
export const selectTileRows = (store: Kysely<StateTables>, layerId: string) =>
  store
    .selectFrom('shape')
    .where('layer_id', '=', layerId)
    .select([
      'shape_uuid',
      'row_hash',
      'name',
      'geometry',
      ({ ref }) =>
        ref('properties', '->')
          .key('class' as never)
          .as('class'),
    ])

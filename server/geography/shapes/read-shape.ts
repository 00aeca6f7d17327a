import type { Selectable } from 'kysely'
import type { Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { Store } from '#server/stores/state.ts'

/** A row of `selectShapes`: a shape with the name of the user who last changed it. */
export type ReadableShape = Omit<Selectable<StateTables['shape']>, 'kind' | 'row_hash' | 'bbox'> & {
  modifier: string | null
}

/** Selects shapes with the name of the user who last changed them. */
export const selectShapes = (store: Store) =>
  store
    .selectFrom('shape')
    .leftJoin('user', 'user.id', 'shape.modified_by')
    .selectAll('shape')
    .select('user.name as modifier')

/** Converts a stored shape to the form of the API. */
export const readShape = (row: ReadableShape): Shape => ({
  shape_uuid: row.shape_uuid,
  shape_id: row.shape_id,
  shape_name: row.name,
  shape_description: row.description,
  shape_layer_uuid: row.layer_id,
  geom: row.geometry as Geometry,
  properties: row.properties,
  created_time: row.created_time.toISOString(),
  modified_time: row.modified_time.toISOString(),
  modified_by: row.modifier,
  side_of_street: row.side_of_street,
})

import type { Insertable, Selectable } from 'kysely'
import type { Geometry } from '#contract/place.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { computeBounds } from '../../boundary-files/geometry-bounds.ts'

export type ShapeRow = Selectable<StateTables['shape']>

/** Returns the columns of a geometry, as JSON. */
export const toGeometryColumns = (
  geometry: Geometry,
): Pick<Insertable<StateTables['shape']>, 'geometry'> & { bbox: string } => ({
  geometry: JSON.stringify(geometry),
  bbox: JSON.stringify(computeBounds([geometry])),
})

/**
 * Returns the time of a change: `at`, or just after the previous change if that is later, because times
 * identify versions.
 */
export const getNextModifiedTime = (previous: Date, at: Date): Date =>
  new Date(Math.max(at.getTime(), previous.getTime() + 1))

/** Columns of a deleted shape that its history does not contain. They are stored to restore it. */
export interface DeletedShapeColumns {
  position: number
  shape_id: string
  properties: Record<string, unknown>
  side_of_street: string | null
  created_time: string
}

/** Returns the `DeletedShapeColumns` of a shape as JSON. */
export const getDeletedColumns = ({
  position,
  shape_id,
  properties,
  side_of_street,
  created_time,
}: ShapeRow): string =>
  JSON.stringify({
    position,
    shape_id,
    properties,
    side_of_street,
    created_time: created_time.toISOString(),
  } satisfies DeletedShapeColumns)

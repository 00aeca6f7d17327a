import type { Insertable, Selectable } from 'kysely'
import type { Geometry } from '#contract/place.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { geometryBounds } from '../formats/geometry-bounds.ts'

export type ShapeRow = Selectable<StateTables['shape']>

/** The columns that a geometry fills. */
export const geometryColumns = (
  geometry: Geometry,
): Pick<Insertable<StateTables['shape']>, 'geometry'> & { bbox: string } => ({
  geometry: JSON.stringify(geometry),
  bbox: JSON.stringify(geometryBounds([geometry])),
})

/** When a shape is changed: now, but never at the same time as before: the time tells versions apart. */
export const laterThan = (before: Date, at: Date): Date =>
  new Date(Math.max(at.getTime(), before.getTime() + 1))

/** What of a shape its history does not tell, kept when it is deleted. */
export interface KeptOfShape {
  position: number
  shape_id: string
  properties: Record<string, unknown>
  side_of_street: string | null
  created_time: string
}

export const keptOf = ({ position, shape_id, properties, side_of_street, created_time }: ShapeRow): string =>
  JSON.stringify({
    position,
    shape_id,
    properties,
    side_of_street,
    created_time: created_time.toISOString(),
  } satisfies KeptOfShape)

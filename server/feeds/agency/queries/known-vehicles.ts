import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'

/** A registered vehicle: its id and its record as JSON. */
export interface KnownVehicle {
  deviceId: string
  attributes: string
}

/** Finds the registered vehicles of an operator, or one of them. */
export const findVehicles = (
  facts: Facts,
  scope: Scope,
  { regionId, operator, deviceId }: { regionId: string; operator: string; deviceId?: string },
): Promise<KnownVehicle[]> =>
  facts.rows<KnownVehicle>(
    scope,
    sql`
      select toString(device_id) as deviceId, attributes
      from ${latest('vehicles')}
      where
        region_id = ${bind('String', regionId)}
        and operator = ${bind('String', operator)} ${deviceId ? sql`and device_id = ${bind('UUID', deviceId)}` : sql``}
      order by device_id`,
  )

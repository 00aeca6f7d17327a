import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

export interface RegistrationRow {
  operator: string
  device_id: string
  vehicle_id: string
  vehicle_type: string
  /** When it was received, ms. */
  version: string
}

/** How each vehicle of a region is registered. */
export const registrations = (regionId: string): Sql => sql`
  select operator, toString(device_id) as device_id, vehicle_id, vehicle_type, toString(version) as version
  from ${latest('vehicles')}
  where region_id = ${bind('String', regionId)}`

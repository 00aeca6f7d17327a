import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

export interface VehicleNumberRow {
  operator: string
  device_id: string
  vehicle_id: string
}

/** The numbers that stand on vehicles. */
export const vehicleNumbers = (regionId: string, devices: readonly string[]): Sql => sql`
  select operator, toString(device_id) as device_id, vehicle_id from ${latest('vehicles')}
  where region_id = ${bind('String', regionId)} and toString(device_id) in ${bind('Array(String)', devices)}`

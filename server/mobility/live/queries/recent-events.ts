import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

export interface RecentEventRow {
  operator: string
  device_id: string
  event_id: string
  time: string
  turn: number
  version: string
  state: string
  /** Null: not known. */
  lon: number | null
  lat: number | null
  battery: number | null
}

/** The newest events of each vehicle since a moment, ms. */
export const recentEvents = (regionId: string, since: number, each: number): Sql => sql`
  select operator, toString(device_id) as device_id, toString(event_id) as event_id, toString(toUnixTimestamp64Milli(event_time)) as time, turn, toString(version) as version, state,
    if(isFinite(lon), lon, null) as lon, if(isFinite(lat), lat, null) as lat, if(isFinite(battery), battery, null) as battery
  from ${latest('vehicle_events')}
  where region_id = ${bind('String', regionId)} and superseded = 0 and event_time >= fromUnixTimestamp64Milli(${bind('Int64', since)})
  order by operator, device_id, event_time desc, turn desc, event_id desc
  limit ${bind('UInt8', each)} by operator, device_id`

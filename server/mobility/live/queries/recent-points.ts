import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'

export interface RecentPointRow {
  operator: string
  device_id: string
  telemetry_id: string
  time: string
  version: string
  /** Null: not known. */
  lon: number | null
  lat: number | null
  battery: number | null
}

/** The newest telemetry of each vehicle since a moment, ms: the newest point with a place and the newest with a battery, which most often are one. */
export const recentPoints = (regionId: string, since: number): Sql => sql`
  select operator, device_id, point.1 as time, point.2 as telemetry_id, point.3 as version, if(isFinite(point.4), point.4, null) as lon, if(isFinite(point.5), point.5, null) as lat, if(isFinite(point.6), point.6, null) as battery
  from (
    select operator, toString(device_id) as device_id, arrayJoin(arrayDistinct([placed, charged, last])) as point
    from (
      select operator, device_id,
        argMaxIf(told, newness, isFinite(lon) and isFinite(lat)) as placed, argMaxIf(told, newness, isFinite(battery)) as charged, argMax(told, newness) as last
      from (
        select operator, device_id, lon, lat, battery, (time, toString(telemetry_id), version) as newness,
          (toString(toUnixTimestamp64Milli(time)), toString(telemetry_id), toString(version), lon, lat, battery) as told
        from ${facts('telemetry')}
        where region_id = ${bind('String', regionId)} and time >= fromUnixTimestamp64Milli(${bind('Int64', since)})
      )
      group by operator, device_id
    )
  )
  where time != ''`

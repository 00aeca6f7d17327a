import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'

/** The last telemetry point of a vehicle. Times are ms since 1970; null means unknown. */
export interface LastPoint {
  deviceId: string
  telemetryId: string
  time: number
  /** '' outside of trips. */
  tripId: string
  lon: number | null
  lat: number | null
  speed: number | null
  heading: number | null
  accuracy: number | null
  battery: number | null
}

/** Stored instead of a trip id for points outside of trips. */
const nilUuid = '00000000-0000-0000-0000-000000000000'

/** Finds the last point of each vehicle of an operator since a time (ms), or of one vehicle. */
export async function findLastPoints(
  facts: Facts,
  scope: Scope,
  {
    regionId,
    operator,
    deviceId,
    since,
  }: { regionId: string; operator: string; deviceId: string | null; since: number },
): Promise<Map<string, LastPoint>> {
  const deviceFilter = deviceId ? sql`and device_id = ${bind('UUID', deviceId)}` : sql``
  const rows = await facts.rows<Omit<LastPoint, 'time'> & { ms: string }>(
    scope,
    sql`
      select
        toString(device_id) as deviceId,
        toString(telemetry_id) as telemetryId,
        toString(toUnixTimestamp64Milli(point.time)) as ms,
        toString(trip_id) as tripId,
        lon, lat, speed, heading, accuracy, battery
      from ${latest('telemetry')} as point
      where
        region_id = ${bind('String', regionId)}
        and operator = ${bind('String', operator)}
        and point.time >= ${toDateTime(since)} ${deviceFilter}
      order by device_id, point.time desc, telemetry_id desc
      limit 1 by device_id`,
  )
  return new Map(
    rows.map(({ ms, ...row }) => [
      row.deviceId,
      { ...row, time: Number(ms), tripId: row.tripId === nilUuid ? '' : row.tripId },
    ]),
  )
}

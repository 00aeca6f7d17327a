import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'

/** The last event of a vehicle. Times are ms since 1970; null means unknown. */
export interface LastEvent {
  deviceId: string
  eventId: string
  time: number
  state: VehicleState
  types: EventType[]
  tripIds: string[]
  lon: number | null
  lat: number | null
  accuracy: number | null
  battery: number | null
}

/** Finds the last event of each vehicle of an operator since a time (ms), or of one vehicle. */
export async function findLastEvents(
  facts: Facts,
  scope: Scope,
  {
    regionId,
    operator,
    deviceId,
    since,
  }: { regionId: string; operator: string; deviceId: string | null; since: number },
): Promise<Map<string, LastEvent>> {
  const deviceFilter = deviceId ? sql`and device_id = ${bind('UUID', deviceId)}` : sql``
  const rows = await facts.rows<Omit<LastEvent, 'time'> & { ms: string }>(
    scope,
    sql`
      select
        toString(device_id) as deviceId,
        toString(event_id) as eventId,
        toString(toUnixTimestamp64Milli(event_time)) as ms,
        state,
        event_types as types,
        arrayMap(trip -> toString(trip), trip_ids) as tripIds,
        lon, lat, accuracy, battery
      from ${latest('vehicle_events')}
      where
        region_id = ${bind('String', regionId)}
        and operator = ${bind('String', operator)}
        and superseded = 0
        and event_time >= ${toDateTime(since)} ${deviceFilter}
      order by device_id, event_time desc, turn desc, event_id desc
      limit 1 by device_id`,
  )
  return new Map(rows.map(({ ms, ...row }) => [row.deviceId, { ...row, time: Number(ms) }]))
}

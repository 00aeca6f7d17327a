import { maxNonOperationalEvents } from '#contract/fleet-figures.ts'
import { lostRule } from '#server/regions/lost-vehicles.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { FleetQueryContext } from '../fleet/fleet-query-context.ts'
import { factConditions } from './fact-conditions.ts'
import { instant, msOf } from '#server/stores/instant.ts'

/** Intervals that begin in the asked days, with the ms at which they end or, where they go on, will be lost. */
const startedIntervals = ({ filters, time, region }: FleetQueryContext): Sql => sql`
  select operator, device_id, vehicle_type, event_types, lon, lat, ${msOf(sql`from_time`)} as begins, ${msOf(sql`least(to_time, ${lostRule(region.lostAfterHours).lostAt(sql`from_time`)})`)} as ends
  from ${latest('vehicle_intervals')}
  where ${factConditions(filters)} and state = 'non_operational' and from_time >= ${instant(time.from)} and from_time < ${instant(time.until)}`

export interface NonOperationalCount {
  operator: string
  events: string
  ms: string
}

/** How often vehicles became non-operational by operator, and how long they stayed so until now. */
export const nonOperationalCounts = (fleet: FleetQueryContext): Sql => sql`
  select operator, count() as events, sum(greatest(0, least(ends, ${bind('Int64', String(fleet.now))}) - begins)) as ms
  from (${startedIntervals(fleet)}) group by operator order by operator`

export interface NonOperationalRow {
  operator: string
  vehicle_id: string
  vehicle_type: string
  begins: string
  ends: string
  event_types: string[]
  lon: number | null
  lat: number | null
}

/** The newest times that vehicles became so, newest first. */
export const newestNonOperational = (fleet: FleetQueryContext): Sql => sql`
  select event.operator as operator, if(vehicle.vehicle_id = '', toString(event.device_id), vehicle.vehicle_id) as vehicle_id, event.vehicle_type as vehicle_type, event.begins as begins, event.ends as ends, event.event_types as event_types,
    if(isFinite(event.lon), event.lon, null) as lon, if(isFinite(event.lat), event.lat, null) as lat
  from (select * from (${startedIntervals(fleet)}) order by begins desc, operator, device_id limit ${bind('UInt32', maxNonOperationalEvents)}) as event
  left join (select operator, device_id, vehicle_id from ${latest('vehicles')} where region_id = ${bind('String', fleet.region.regionId)}) as vehicle on vehicle.operator = event.operator and vehicle.device_id = event.device_id
  order by begins desc, operator, vehicle_id`

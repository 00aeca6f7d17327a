import type { z } from 'zod'
import { type getNonOperationalSummary, maxNonOperationalEvents } from '#contract/fleet-figures.ts'
import { computeFleetSize } from '#server/fleet/fleet-size/fleet-size.ts'
import { createLostRule } from '#server/regions/lost-vehicles.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { factConditions } from '../queries/fact-sql.ts'
import { type FleetQueryContext, toFleetSizeQuestion } from './fleet-query-context.ts'

/** Builds SQL for non-operational intervals that begin in the period. Open ones end when the vehicle is lost. */
const startedIntervalsSql = ({ filters, time, region }: FleetQueryContext): Sql => sql`
  select
    operator, device_id, vehicle_type, event_types, lon, lat,
    ${toMilliseconds(sql`from_time`)} as begins,
    ${toMilliseconds(sql`least(to_time, ${createLostRule(region.lostAfterHours).lostAt(sql`from_time`)})`)} as ends
  from ${latest('vehicle_intervals')}
  where ${factConditions(filters)} and state = 'non_operational'
    and from_time >= ${toDateTime(time.from)} and from_time < ${toDateTime(time.until)}`

/** Builds SQL for how often vehicles became non-operational, and for how long until now (`ms`), by operator. */
const nonOperationalCountsSql = (fleet: FleetQueryContext): Sql => sql`
  select
    operator,
    count() as events,
    sum(greatest(0, least(ends, ${bind('Int64', String(fleet.now))}) - begins)) as ms
  from (${startedIntervalsSql(fleet)})
  group by operator
  order by operator`

interface NonOperationalCount {
  operator: string
  events: string
  ms: string
}

/** Builds SQL for the newest non-operational intervals, newest first. */
export const newestNonOperationalSql = (fleet: FleetQueryContext): Sql => sql`
  select
    event.operator as operator,
    if(vehicle.vehicle_id = '', toString(event.device_id), vehicle.vehicle_id) as vehicle_id,
    event.vehicle_type as vehicle_type,
    event.begins as begins,
    event.ends as ends,
    event.event_types as event_types,
    if(isFinite(event.lon), event.lon, null) as lon,
    if(isFinite(event.lat), event.lat, null) as lat
  from (
    select * from (${startedIntervalsSql(fleet)})
    order by begins desc, operator, device_id
    limit ${bind('UInt32', maxNonOperationalEvents)}
  ) as event
  left join (
    select operator, device_id, vehicle_id
    from ${latest('vehicles')}
    where region_id = ${bind('String', fleet.region.regionId)}
  ) as vehicle on vehicle.operator = event.operator and vehicle.device_id = event.device_id
  order by begins desc, operator, vehicle_id`

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

type NonOperationalSummary = z.output<(typeof getNonOperationalSummary)['response']>

/** Summarizes by operator: average number, percent of deployed vehicles, events and mean duration. */
export async function summarizeNonOperational(
  facts: Facts,
  fleet: FleetQueryContext,
): Promise<NonOperationalSummary> {
  const { scope, time, signal } = fleet
  const question = toFleetSizeQuestion(fleet, time, ['operator'])
  const nonOperational = await computeFleetSize(facts, scope, 'avg', {
    ...question,
    states: ['non_operational'],
  })
  const deployed = await computeFleetSize(facts, scope, 'avg', question)
  const counts = await facts.rows<NonOperationalCount>(scope, nonOperationalCountsSql(fleet), { signal })
  const getSize = (sizes: readonly { operator?: string; value: number }[], operator: string): number =>
    sizes.find((size) => size.operator === operator)?.value ?? 0
  const operators = [
    ...new Set([
      ...deployed.sizes.map(({ operator = '' }) => operator),
      ...counts.map(({ operator }) => operator),
    ]),
  ].toSorted()
  const items = operators.map((operator) => {
    const vehicles = getSize(nonOperational.sizes, operator)
    const deployedVehicles = getSize(deployed.sizes, operator)
    const count = counts.find((row) => row.operator === operator)
    const events = Number(count?.events ?? 0)
    return {
      operator,
      vehicles,
      share: deployedVehicles > 0 ? (100 * vehicles) / deployedVehicles : null,
      events,
      average_minutes: events ? Number(count?.ms) / 60_000 / events : null,
    }
  })
  return { items, method: { name: 'avg', version: nonOperational.methodVersion } }
}

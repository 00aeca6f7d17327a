import { deployedStates, type VehicleState } from '#contract/vehicle-states.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { FleetAsked } from '../fleet/fleet-asked.ts'
import { askedHours } from './asked-pieces.ts'
import { factConditions } from './fact-conditions.ts'
import { instant, msOf } from '#server/stores/instant.ts'

/** Ms that vehicles were in each deployed state, by local day, hour of it and operator. */
export interface DeployedHour {
  bucket: string
  hour: number
  operator: string
  state: VehicleState
  ms: string
}

/** From when to when vehicles were in the public right of way, cut by hour: they leave the count once they have been silent for lostAfterHours. */
export const deployedByHour = ({ filters, time, region, now }: FleetAsked): Sql => {
  const lost = sql`toIntervalHour(${bind('UInt32', region.lostAfterHours)})`
  const spans = sql`
  select operator, state, ${msOf(sql`from_time`)} as begins, least(${msOf(sql`least(to_time, from_time + ${lost})`)}, ${bind('Int64', String(now))}) as ends
  from ${latest('vehicle_intervals')}
  where ${factConditions(filters)} and state in ${bind('Array(String)', deployedStates)}
    and from_time < ${instant(time.until)} and from_time > ${instant(time.from)} - ${lost} and to_time > ${instant(time.from)}`
  return sql`
  select bucket, toHour(local) as hour, operator, state, sum(part_ends - part_begins) as ms
  from (${askedHours(spans, time, 'day')})
  group by bucket, hour, operator, state order by bucket, hour, operator, state`
}

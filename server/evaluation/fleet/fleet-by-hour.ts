import type { z } from 'zod'
import { civilClock } from '#contract/civil-clock.ts'
import { type getVehiclesByHour, maxHourlyDays } from '#contract/fleet-figures.ts'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import { deployedStates, type VehicleState } from '#contract/vehicle-states.ts'
import { Problem } from '#server/http/problem.ts'
import { createLostRule } from '#server/regions/lost-vehicles.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { factConditions } from '../queries/fact-sql.ts'
import { splitByHour } from '../queries/split-by-time.ts'
import { getSliceBegins } from '../query-time.ts'
import type { FleetQueryContext } from './fleet-query-context.ts'

/** Vehicle time (ms) of one operator in one state in one hour of a local day. */
interface DeployedHour {
  bucket: string
  hour: number
  operator: string
  state: VehicleState
  ms: string
}

/** Builds SQL for vehicle time in the right of way, by hour, operator and state, until now or until lost. */
export const deployedByHourSql = ({ filters, time, region, now }: FleetQueryContext): Sql => {
  const rule = createLostRule(region.lostAfterHours)
  const intervals = sql`
  select
    operator, state,
    ${toMilliseconds(sql`from_time`)} as begins,
    least(${toMilliseconds(sql`least(to_time, ${rule.lostAt(sql`from_time`)})`)}, ${bind('Int64', String(now))}) as ends
  from ${latest('vehicle_intervals')}
  where ${factConditions(filters)} and state in ${bind('Array(String)', deployedStates)}
    and from_time < ${toDateTime(time.until)} and ${rule.hasContact(sql`from_time`, toDateTime(time.from))} and to_time > ${toDateTime(time.from)}`
  return sql`
  select bucket, toHour(local) as hour, operator, state, sum(part_ends - part_begins) as ms
  from (${splitByHour(intervals, time, 'day')})
  group by bucket, hour, operator, state
  order by bucket, hour, operator, state`
}

type FleetByHour = z.output<(typeof getVehiclesByHour)['response']>

/** Returns the elapsed ms of each local hour, by key `day hour`. */
function sumElapsedMsByHour({ time, now }: FleetQueryContext): Map<string, number> {
  const clock = civilClock(time.timezone)
  const until = Math.min(time.until, now)
  const elapsedMs = new Map<string, number>()
  for (const begin of getSliceBegins(time.slices, time.from, until)) {
    const { day, hour } = clock.local(begin)
    const key = `${dayFromNumber(day)} ${hour}`
    const ms = Math.min(begin + time.slices.lengthMs, until) - Math.max(begin, time.from)
    elapsedMs.set(key, (elapsedMs.get(key) ?? 0) + ms)
  }
  return elapsedMs
}

/** Reads the average number of vehicles in the public right of way in each hour, by operator and state. */
export async function readFleetByHour(facts: Facts, fleet: FleetQueryContext): Promise<FleetByHour> {
  const { filters, scope, signal } = fleet
  if (dayNumber(filters.end_date) - dayNumber(filters.start_date) + 1 > maxHourlyDays)
    throw new Problem(
      'validation_error',
      `A response contains at most ${maxHourlyDays} days. Choose fewer days.`,
    )
  const rows = await facts.rows<DeployedHour>(scope, deployedByHourSql(fleet), {
    limits: { seconds: 60 },
    signal,
  })
  const elapsedMs = sumElapsedMsByHour(fleet)
  const items = new Map<string, FleetByHour['items'][number]>()
  for (const { bucket: day, hour, operator, state, ms } of rows) {
    const hourMs = elapsedMs.get(`${day} ${hour}`) ?? 0
    const vehicles = hourMs > 0 ? Number(ms) / hourMs : 0
    if (!vehicles) continue
    const key = `${day} ${hour} ${operator}`
    let item = items.get(key)
    if (!item) items.set(key, (item = { day, hour: Number(hour), operator, vehicles: 0, states: {} }))
    item.vehicles += vehicles
    item.states[state] = vehicles
  }
  return { items: [...items.values()], method: { name: 'avg', version: 1 } }
}

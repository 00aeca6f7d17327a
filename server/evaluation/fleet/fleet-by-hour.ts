import type { z } from 'zod'
import { civilClock } from '#contract/civil-clock.ts'
import { type getVehiclesByHour, maxHourlyDays } from '#contract/fleet-figures.ts'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { FleetQueryContext } from './fleet-query-context.ts'
import { deployedStates, type VehicleState } from '#contract/vehicle-states.ts'
import { lostRule } from '#server/regions/lost-vehicles.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { splitByHour } from '../queries/split-by-time.ts'
import { factConditions } from '../queries/fact-conditions.ts'
import { instant, msOf } from '#server/stores/instant.ts'

/** Ms that vehicles were in each deployed state, by local day, hour of it and operator. */
interface DeployedHour {
  bucket: string
  hour: number
  operator: string
  state: VehicleState
  ms: string
}

/** From when to when vehicles were in the public right of way, cut by hour: they leave the count once they have been silent for lostAfterHours. */
export const deployedByHour = ({ filters, time, region, now }: FleetQueryContext): Sql => {
  const rule = lostRule(region.lostAfterHours)
  const spans = sql`
  select operator, state, ${msOf(sql`from_time`)} as begins, least(${msOf(sql`least(to_time, ${rule.lostAt(sql`from_time`)})`)}, ${bind('Int64', String(now))}) as ends
  from ${latest('vehicle_intervals')}
  where ${factConditions(filters)} and state in ${bind('Array(String)', deployedStates)}
    and from_time < ${instant(time.until)} and ${rule.hasContact(sql`from_time`, instant(time.from))} and to_time > ${instant(time.from)}`
  return sql`
  select bucket, toHour(local) as hour, operator, state, sum(part_ends - part_begins) as ms
  from (${splitByHour(spans, time, 'day')})
  group by bucket, hour, operator, state order by bucket, hour, operator, state`
}

type Answer = z.output<(typeof getVehiclesByHour)['answer']>

/** Ms of each hour of the local days that are over, under `day hour`. */
function elapsedMsByHour({ time, now }: FleetQueryContext): Map<string, number> {
  const clock = civilClock(time.timezone)
  const { length, shift } = time.slices
  const until = Math.min(time.until, now)
  const found = new Map<string, number>()
  for (
    let begin = Math.floor((time.from + shift) / length) * length - shift;
    begin < until;
    begin += length
  ) {
    const { day, hour } = clock.local(begin)
    const key = `${dayFromNumber(day)} ${hour}`
    found.set(key, (found.get(key) ?? 0) + Math.min(begin + length, until) - Math.max(begin, time.from))
  }
  return found
}

/** Vehicles in the public right of way on average in each hour, by operator and state. */
export async function fleetByHour(facts: Facts, fleet: FleetQueryContext): Promise<Answer> {
  const { asked, scope, signal } = fleet
  if (dayNumber(asked.end_date) - dayNumber(asked.start_date) + 1 > maxHourlyDays)
    throw new Problem('validation_error', `One answer holds ${maxHourlyDays} days. Ask for fewer days.`)
  const rows = await facts.rows<DeployedHour>(scope, deployedByHour(fleet), {
    limits: { seconds: 60 },
    signal,
  })
  const hours = elapsedMsByHour(fleet)
  const items = new Map<string, Answer['items'][number]>()
  for (const { bucket: day, hour, operator, state, ms } of rows) {
    const over = hours.get(`${day} ${hour}`) ?? 0
    const vehicles = over > 0 ? Number(ms) / over : 0
    if (!vehicles) continue
    const key = `${day} ${hour} ${operator}`
    let item = items.get(key)
    if (!item) items.set(key, (item = { day, hour: Number(hour), operator, vehicles: 0, states: {} }))
    item.vehicles += vehicles
    item.states[state] = vehicles
  }
  return { items: [...items.values()], method: { name: 'avg', version: 1 } }
}

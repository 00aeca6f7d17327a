import type { z } from 'zod'
import { civilClock } from '#contract/civil-clock.ts'
import { type getVehiclesByHour, mostDaysByHour } from '#contract/fleet-figures.ts'
import { dayNumber, dayOfNumber } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Facts } from '#server/stores/facts.ts'
import { deployedByHour, type DeployedHour } from '../queries/deployed-by-hour.ts'
import type { FleetAsked } from './fleet-asked.ts'

type Answer = z.output<(typeof getVehiclesByHour)['answer']>

/** Ms of each hour of the local days that are over, under `day hour`. */
function hoursOf({ time, now }: FleetAsked): Map<string, number> {
  const clock = civilClock(time.timezone)
  const { length, shift } = time.pieces
  const until = Math.min(time.until, now)
  const found = new Map<string, number>()
  for (
    let begin = Math.floor((time.from + shift) / length) * length - shift;
    begin < until;
    begin += length
  ) {
    const { day, hour } = clock.local(begin)
    const key = `${dayOfNumber(day)} ${hour}`
    found.set(key, (found.get(key) ?? 0) + Math.min(begin + length, until) - Math.max(begin, time.from))
  }
  return found
}

/** Vehicles in the public right of way on average in each hour, by operator and state. */
export async function fleetByHour(facts: Facts, fleet: FleetAsked): Promise<Answer> {
  const { asked, scope, signal } = fleet
  if (dayNumber(asked.end_date) - dayNumber(asked.start_date) + 1 > mostDaysByHour)
    throw new Problem('validation_error', `One answer holds ${mostDaysByHour} days. Ask for fewer days.`)
  const rows = await facts.rows<DeployedHour>(scope, deployedByHour(fleet), {
    limits: { seconds: 60 },
    signal,
  })
  const hours = hoursOf(fleet)
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

import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { hourMs } from './cube-clock.ts'
import {
  lastBefore,
  type Rest,
  restsBetween,
  type Surroundings,
  surroundings,
  type Touching,
} from './queries/touched-vehicle-hours.ts'

const limits = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }
const vehicleOf = ({ operator, device_id: deviceId }: { operator: string; device_id: string }): string =>
  `${operator}\t${deviceId}`
const devicesOf = (vehicles: readonly Surroundings[]): string[] =>
  vehicles.map(({ device_id: deviceId }) => deviceId)

/**
 * Numbers of the hours in which the facts of touched vehicles may have changed. A vehicle's facts are as they were before its change (but for
 * a rest that is found to have gone on since it was last heard of), and from the end of the rest around the next event behind its last change
 * on; where there is none, from the moment on at which it is lost. `since`: the first change, ms.
 */
export async function touchedHours(
  store: Facts,
  scope: Scope,
  touching: Touching,
  since: string,
): Promise<number[]> {
  const vehicles = (await store.rows<Surroundings>(scope, surroundings(touching, since), limits)).filter(
    ({ changed }) => changed < touching.until,
  )
  const lost = touching.lostAfterHours * hourMs
  const before = await silentBefore(store, scope, touching, since, vehicles)
  const restEnd = await restEnds(store, scope, touching, vehicles)
  const spans = vehicles.map((vehicle) => {
    const { changed, behind, known } = vehicle
    const near = vehicle.before || (before.get(vehicleOf(vehicle)) ?? 0)
    const first = Math.max(0, near > 0 && near + lost < changed ? near + lost : changed)
    const last = behind === 0 ? known + lost : Math.max(behind, restEnd.get(vehicleOf(vehicle)) ?? 0)
    return { first, last: Math.max(first, Math.min(last, touching.until - 1)) }
  })
  return hoursOf(spans, touching.shift)
}

/** Hours of spans, which may be years long and overlap: each once. */
function hoursOf(spans: readonly { first: number; last: number }[], shift: number): number[] {
  const hours: number[] = []
  let next = 0
  for (const { first, last } of spans.toSorted((a, b) => a.first - b.first)) {
    const until = Math.floor((last + shift) / hourMs)
    for (next = Math.max(next, Math.floor((first + shift) / hourMs)); next <= until; next++) hours.push(next)
  }
  return hours
}

async function silentBefore(
  store: Facts,
  scope: Scope,
  touching: Touching,
  since: string,
  vehicles: readonly Surroundings[],
): Promise<Map<string, number>> {
  const silent = vehicles.filter(({ before }) => before === 0)
  if (!silent.length) return new Map()
  const rows = await store.rows<{ operator: string; device_id: string; before: number }>(
    scope,
    lastBefore(touching, since, devicesOf(silent)),
    limits,
  )
  return new Map(rows.map((row) => [vehicleOf(row), row.before]))
}

/** The ends of the rests that vehicles have around the event behind their change, ms. */
async function restEnds(
  store: Facts,
  scope: Scope,
  touching: Touching,
  vehicles: readonly Surroundings[],
): Promise<Map<string, number>> {
  const followed = vehicles.filter(({ behind }) => behind > 0)
  if (!followed.length) return new Map()
  const behindOf = new Map(followed.map((vehicle) => [vehicleOf(vehicle), vehicle.behind]))
  let [from, until] = [Infinity, 0]
  for (const { behind } of followed) [from, until] = [Math.min(from, behind), Math.max(until, behind)]
  const ends = new Map<string, number>()
  for (const rest of await store.rows<Rest>(
    scope,
    restsBetween(touching, devicesOf(followed), String(from), String(until)),
    limits,
  )) {
    const behind = behindOf.get(vehicleOf(rest)) ?? 0
    if (rest.begins <= behind && rest.ends > behind)
      ends.set(vehicleOf(rest), Math.max(ends.get(vehicleOf(rest)) ?? 0, rest.ends))
  }
  return ends
}

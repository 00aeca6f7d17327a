import type { Facts } from '#server/stores/facts.ts'
import { lostAt, wasLostBetween } from '#server/regions/lost-vehicles.ts'
import type { Scope } from '#server/stores/scope.ts'
import { hourMs } from './cube-clock.ts'
import {
  lastEventsBefore,
  type ParkingEvent,
  parkingEventsBetween,
  type VehicleChange,
  vehicleChanges,
  type DirtyRuns,
} from './queries/dirty-vehicle-hours.ts'

const limits = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }
const vehicleKey = ({ operator, device_id: deviceId }: { operator: string; device_id: string }): string =>
  `${operator}\t${deviceId}`
const deviceIdsOf = (vehicles: readonly VehicleChange[]): string[] =>
  vehicles.map(({ device_id: deviceId }) => deviceId)

/**
 * Numbers of the hours in which the facts of dirty vehicles may have changed. A vehicle's facts are as they were before its change (but for
 * a rest that is found to have gone on since it was last heard of), and from the end of the rest around the next event behind its last change
 * on; where there is none, from the moment on at which it is lost. `since`: the first change, ms.
 */
export async function findDirtyVehicleHours(
  store: Facts,
  scope: Scope,
  runs: DirtyRuns,
  since: string,
): Promise<number[]> {
  const vehicles = (await store.rows<VehicleChange>(scope, vehicleChanges(runs, since), limits)).filter(
    ({ changed }) => changed < runs.until,
  )
  const lostAfterMs = runs.lostAfterHours * hourMs
  const before = await silentBefore(store, scope, runs, since, vehicles)
  const parkingEndByVehicle = await findParkingEnds(store, scope, runs, vehicles)
  const spans = vehicles.map((vehicle) => {
    const { changed, behind, known } = vehicle
    const near = vehicle.before || (before.get(vehicleKey(vehicle)) ?? 0)
    const first = Math.max(
      0,
      near > 0 && wasLostBetween(near, changed, lostAfterMs) ? lostAt(near, lostAfterMs) : changed,
    )
    const last =
      behind === 0
        ? lostAt(known, lostAfterMs)
        : Math.max(behind, parkingEndByVehicle.get(vehicleKey(vehicle)) ?? 0)
    return { first, last: Math.max(first, Math.min(last, runs.until - 1)) }
  })
  return hoursOfSpans(spans, runs.shift)
}

/** Hours of spans, which may be years long and overlap: each once. */
function hoursOfSpans(spans: readonly { first: number; last: number }[], shift: number): number[] {
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
  dirtyRuns: DirtyRuns,
  since: string,
  vehicles: readonly VehicleChange[],
): Promise<Map<string, number>> {
  const silent = vehicles.filter(({ before }) => before === 0)
  if (!silent.length) return new Map()
  const rows = await store.rows<{ operator: string; device_id: string; before: number }>(
    scope,
    lastEventsBefore(dirtyRuns, since, deviceIdsOf(silent)),
    limits,
  )
  return new Map(rows.map((row) => [vehicleKey(row), row.before]))
}

/** The ends of the parking events of vehicles around the event after their change, ms. */
async function findParkingEnds(
  store: Facts,
  scope: Scope,
  dirtyRuns: DirtyRuns,
  vehicles: readonly VehicleChange[],
): Promise<Map<string, number>> {
  const followed = vehicles.filter(({ behind }) => behind > 0)
  if (!followed.length) return new Map()
  const behindOf = new Map(followed.map((vehicle) => [vehicleKey(vehicle), vehicle.behind]))
  let [from, until] = [Infinity, 0]
  for (const { behind } of followed) [from, until] = [Math.min(from, behind), Math.max(until, behind)]
  const ends = new Map<string, number>()
  for (const parking of await store.rows<ParkingEvent>(
    scope,
    parkingEventsBetween(dirtyRuns, deviceIdsOf(followed), String(from), String(until)),
    limits,
  )) {
    const behind = behindOf.get(vehicleKey(parking)) ?? 0
    if (parking.begins <= behind && parking.ends > behind)
      ends.set(vehicleKey(parking), Math.max(ends.get(vehicleKey(parking)) ?? 0, parking.ends))
  }
  return ends
}

import { hourMs } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { lostAt, wasLostBetween } from '#server/regions/lost-vehicles.ts'
import type { Scope } from '#server/stores/scope.ts'
import {
  lastEventsBeforeSql,
  type ParkingEvent,
  parkingEventsBetweenSql,
  type VehicleChange,
  vehicleChangesSql,
  type DirtyRuns,
} from './queries/dirty-vehicle-hours.ts'

const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }
const toVehicleKey = ({ operator, device_id: deviceId }: { operator: string; device_id: string }): string =>
  `${operator}\t${deviceId}`
const listDeviceIds = (vehicles: readonly VehicleChange[]): string[] =>
  vehicles.map(({ device_id: deviceId }) => deviceId)

/**
 * Finds the numbers of the hours in which the facts of dirty vehicles may have changed. `since`: the first
 * change, ms.
 *
 * The changed time of a vehicle starts with its first changed event. If it had been lost before that event,
 * it starts when it was lost, because the change may show that it had not been. The changed time ends with
 * the parking event around the next unchanged event; without such an event, it ends when the vehicle is lost.
 */
export async function findDirtyVehicleHours(
  facts: Facts,
  scope: Scope,
  runs: DirtyRuns,
  since: string,
): Promise<number[]> {
  const vehicles = (
    await facts.rows<VehicleChange>(scope, vehicleChangesSql(runs, since), queryOptions)
  ).filter(({ changed }) => changed < runs.until)
  const lostAfterMs = runs.lostAfterHours * hourMs
  const earlierEvents = await findEarlierEvents(facts, scope, { dirtyRuns: runs, since, vehicles })
  const parkingEndByVehicle = await findParkingEnds(facts, scope, runs, vehicles)
  const spans = vehicles.map((vehicle) => {
    const { changed, next_event: nextEvent, last_event: lastEvent } = vehicle
    const previousEvent = vehicle.previous_event || (earlierEvents.get(toVehicleKey(vehicle)) ?? 0)
    const wasLost = previousEvent > 0 && wasLostBetween(previousEvent, changed, lostAfterMs)
    const first = Math.max(0, wasLost ? lostAt(previousEvent, lostAfterMs) : changed)
    const last =
      nextEvent === 0
        ? lostAt(lastEvent, lostAfterMs)
        : Math.max(nextEvent, parkingEndByVehicle.get(toVehicleKey(vehicle)) ?? 0)
    return { first, last: Math.max(first, Math.min(last, runs.until - 1)) }
  })
  return listHours(spans, runs.shift)
}

/** Lists the numbers (since 1970) of all hours in spans (ms), each once. Spans may overlap and be years long. */
function listHours(spans: readonly { first: number; last: number }[], shift: number): number[] {
  const hours: number[] = []
  let hour = 0
  for (const { first, last } of spans.toSorted((a, b) => a.first - b.first)) {
    const lastHour = Math.floor((last + shift) / hourMs)
    for (hour = Math.max(hour, Math.floor((first + shift) / hourMs)); hour <= lastHour; hour++)
      hours.push(hour)
  }
  return hours
}

/** Finds the last event (ms) before `since`, of vehicles without an event shortly before their change. */
async function findEarlierEvents(
  facts: Facts,
  scope: Scope,
  { dirtyRuns, since, vehicles }: { dirtyRuns: DirtyRuns; since: string; vehicles: readonly VehicleChange[] },
): Promise<Map<string, number>> {
  const silentVehicles = vehicles.filter(({ previous_event: previousEvent }) => previousEvent === 0)
  if (!silentVehicles.length) return new Map()
  const rows = await facts.rows<{ operator: string; device_id: string; previous_event: number }>(
    scope,
    lastEventsBeforeSql(dirtyRuns, since, listDeviceIds(silentVehicles)),
    queryOptions,
  )
  return new Map(rows.map((row) => [toVehicleKey(row), row.previous_event]))
}

/** Returns, by vehicle, the end (ms) of the parking event that contains the next event after its change. */
async function findParkingEnds(
  facts: Facts,
  scope: Scope,
  dirtyRuns: DirtyRuns,
  vehicles: readonly VehicleChange[],
): Promise<Map<string, number>> {
  const vehiclesWithNextEvent = vehicles.filter(({ next_event: nextEvent }) => nextEvent > 0)
  if (!vehiclesWithNextEvent.length) return new Map()
  const nextEvents = new Map(
    vehiclesWithNextEvent.map((vehicle) => [toVehicleKey(vehicle), vehicle.next_event]),
  )
  let from = Infinity
  let until = 0
  for (const nextEvent of nextEvents.values()) {
    from = Math.min(from, nextEvent)
    until = Math.max(until, nextEvent)
  }
  const ends = new Map<string, number>()
  for (const parking of await facts.rows<ParkingEvent>(
    scope,
    parkingEventsBetweenSql(dirtyRuns, listDeviceIds(vehiclesWithNextEvent), String(from), String(until)),
    queryOptions,
  )) {
    const nextEvent = nextEvents.get(toVehicleKey(parking)) ?? 0
    if (parking.begins <= nextEvent && parking.ends > nextEvent)
      ends.set(toVehicleKey(parking), Math.max(ends.get(toVehicleKey(parking)) ?? 0, parking.ends))
  }
  return ends
}

import { startOfDay } from '#contract/civil-clock.ts'
import { dayMs, localDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { VehicleDay } from '#contract/vehicles.ts'
import { Problem } from '#server/http/problem.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { LiveRegion } from './live-region.ts'
import type { LiveVehicle } from './live-vehicle.ts'
import {
  type VehicleDayQuery,
  dayEventsSql,
  dayIntervalsSql,
  dayTripsSql,
  type EventRow,
  type IntervalRow,
  vehicleRegistrationSql,
  type TripRow,
} from './queries/vehicle-day.ts'
import { hiddenAfterDays } from './tracked-fleet.ts'

/** Intervals that have not ended are stored with an end in the far future, after this moment. */
const openEndMs = Date.UTC(2200, 0, 1)
const nanToNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

/** The vehicle of a requested day, and where to find it. */
interface VehicleDayOptions {
  facts: Facts
  scope: Scope
  region: Pick<Region, 'regionId' | 'timezone'>
  live: LiveRegion
  id: string
  at: Date
}

/**
 * Finds the current state of a vehicle and what happened to it since midnight in the region's time zone.
 * @throws Problem `not_found` if it does not exist or the viewer may not see its operator.
 */
export async function findVehicleDay({
  facts,
  scope,
  region,
  live,
  id,
  at,
}: VehicleDayOptions): Promise<VehicleDay> {
  const vehicle = live.find(id)
  if (!vehicle || (scope.operators && !scope.operators.includes(vehicle.operator)))
    throw new Problem('not_found', `There is no vehicle '${id}' on the live map.`)
  const day = localDay(at, region.timezone)
  const from = startOfDay(day, region.timezone)
  const currentState = { ...toCurrentState(vehicle), day, day_start: from }
  // GBFS rotates vehicle ids, so the vehicle has no history.
  if (vehicle.source === 'gbfs') return { ...currentState, ...createEmptyHistory() }
  const history = await readHistory(facts, scope, {
    regionId: region.regionId,
    operator: vehicle.operator,
    deviceId: vehicle.deviceId,
    from,
    until: at.getTime(),
    maxIntervalMs: hiddenAfterDays * dayMs,
  })
  return { ...currentState, ...history }
}

const toCurrentState = (vehicle: LiveVehicle) => ({
  operator: vehicle.operator,
  vehicle_id: vehicle.vehicleId,
  device_id: vehicle.deviceId || null,
  vehicle_type: vehicle.vehicleType,
  source: vehicle.source,
  state: vehicle.state,
  since: vehicle.since,
  seen: vehicle.seen,
  lon: nanToNull(vehicle.lon),
  lat: nanToNull(vehicle.lat),
  battery: nanToNull(vehicle.battery),
})

type History = Pick<VehicleDay, 'propulsion_types' | 'intervals' | 'events' | 'trips'>

const createEmptyHistory = (): History => ({ propulsion_types: [], intervals: [], events: [], trips: [] })

/** Reads the intervals, events and trips of a vehicle on a day. */
async function readHistory(facts: Facts, scope: Scope, query: VehicleDayQuery): Promise<History> {
  const [intervals, events, trips, [registration]] = await Promise.all([
    facts.rows<IntervalRow>(scope, dayIntervalsSql(query)),
    facts.rows<EventRow>(scope, dayEventsSql(query)),
    facts.rows<TripRow>(scope, dayTripsSql(query)),
    facts.rows<{ propulsion_types: string[] }>(scope, vehicleRegistrationSql(query)),
  ])
  return {
    propulsion_types: registration?.propulsion_types ?? [],
    intervals: intervals.map((row) => ({
      ...row,
      state: row.state as VehicleState,
      event_types: row.event_types as EventType[],
      from: Number(row.from),
      to: Number(row.to) > openEndMs ? null : Number(row.to),
    })),
    events: events.map((row) => ({
      ...row,
      state: row.state as VehicleState,
      event_types: row.event_types as EventType[],
      time: Number(row.time),
    })),
    trips: trips.map((row) => ({
      ...row,
      start: Number(row.start),
      end: row.end === null ? null : Number(row.end),
    })),
  }
}

import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, sql } from '#server/stores/sql.ts'
import type { City } from '../city.ts'
import { FleetSimulation } from '../live/fleet-simulation.ts'
import { TripLog } from '../live/trip-log.ts'
import { operators } from '../operators.ts'
import { createLocalDays } from '../trips/local-days.ts'
import { storeHistory } from './store-history.ts'
import { parkingRules } from '../live/parking-times.ts'
import { vehicleColumns, formatVehicleLines } from '#server/fleet/events/record-lines.ts'
import { readMds } from '#server/feeds/mds/read-mds.ts'
import type { MdsContext } from '#server/feeds/mds/mds-context.ts'
import { toMdsVehicle } from '../servers/mds-records.ts'
import { toEarlierName } from '../servers/earlier-records.ts'
import { makeFleet } from '../trips/make-fleet.ts'
import { Fields, createReading } from '#server/feeds/mds/fields.ts'
import { withIdentityAttributes, readIdentity } from '#server/feeds/mds/earlier/read-registration.ts'
import type { Vehicle, VehicleEvent } from '#server/fleet/events/feed-records.ts'
import type { EventType } from '#contract/vehicle-states.ts'
import { createEventId } from '#server/feeds/mds/earlier/read-status.ts'
import type { LiveEvent } from '../live/live-event.ts'
import { makeDemoId, makeTripId } from '../trips/demo-trip.ts'
import { historicTypes } from './history-events.ts'

/** Types of events that end a state which another event began. */
const endingTypes: readonly EventType[] = ['battery_charged', 'comms_restored', 'maintenance', 'on_hours']

const isHistoric = ({ types }: LiveEvent): boolean => types.every((type) => historicTypes.includes(type))

/** Converts an event to the form in which it is stored when the operator's feed reports it. */
function toStoredEvent(event: LiveEvent, hasIds: boolean): VehicleEvent {
  const { vehicle, kind, number, time, state, types, trip, lon, lat, battery } = event
  const operator = vehicle.operator.slug
  return {
    operator,
    deviceId: vehicle.id,
    eventId: hasIds ? makeDemoId(kind, number) : createEventId(operator, vehicle.id, time, types),
    time,
    state,
    types,
    tripIds: trip === null ? [] : [makeTripId(trip)],
    lon,
    lat,
    accuracy: 5,
    battery,
    published: 0,
  }
}

/**
 * Lists the last event of each vehicle before the feeds begin, if it is not in the history, and the event that began
 * the state which it ends. Feeds continue from these: otherwise `battery_charged` could occur without `battery_low`.
 */
const listSeamEvents = (simulation: FleetSimulation, operator: string, seamMs: number): LiveEvent[] =>
  simulation.statuses(operator, seamMs - 1).flatMap(({ event, earlier }) => {
    if (isHistoric(event)) return []
    const isEnding = event.state === 'available' && event.types.some((type) => endingTypes.includes(type))
    return isEnding && earlier && !isHistoric(earlier) ? [earlier, event] : [event]
  })

/** Reads the vehicle that a record of MDS 1.2 describes, with the code of the adapter. */
function readNamedVehicle(record: Readonly<Record<string, unknown>>, context: MdsContext): Vehicle[] {
  const fields = new Fields(record, createReading(context))
  return [withIdentityAttributes(readIdentity(fields), fields)]
}

/** Registers the vehicles of operators with MDS from the records that their feeds serve. */
async function registerVehicles(
  store: Facts,
  scope: Scope,
  { regionId, seed, received }: { regionId: string; seed: number; received: number },
): Promise<void> {
  const vehicles = makeFleet(seed).flatMap((vehicle) => {
    const { slug, providerId } = vehicle.operator
    if (!providerId) return []
    const context: MdsContext = { operator: slug, providerId, received }
    return slug === 'ternbikes'
      ? readNamedVehicle(toEarlierName(vehicle), context)
      : readMds('2.0', 'vehicles', { vehicles: [toMdsVehicle(vehicle)] }, context).vehicles
  })
  await store.insert(scope, 'vehicles', {
    columns: vehicleColumns,
    regionId,
    lines: formatVehicleLines(vehicles, { regionId, feedId: '', batchId: '', received }),
  })
}

/** Lists vehicles that are in the workshop when a local day begins, or will be before their next trip. */
function listWorkshopVehicles(log: TripLog, timezone: string, day: number): string[] {
  const window = log.getWindow(day)
  const midnight = createLocalDays(timezone)
  return log.fleet.flatMap(({ id, index }) => {
    const trips = window.listTrips(index)
    const last = trips.findLast(({ localDate }) => localDate < day)
    const next = trips.find(({ localDate }) => localDate >= day)
    return !last || (next?.startMs ?? midnight(window.end).startMs) - last.endMs >= parkingRules.workshopMs
      ? [id]
      : []
  })
}

export interface MakeHistoryOptions {
  regionId: string
  city: Pick<City, 'streets' | 'timezone'>
  seed: number
  /** The local day (days since 1970-01-01) with which the feeds begin. */
  until: number
  lostAfterHours: number
  /** Time of the first run, ms since 1970; determines the versions of derived rows. */
  firstRunMs: number
}

const tables = [
  'vehicle_events',
  'vehicles',
  'trip_events',
  'trip_reports',
  'vehicle_intervals',
  'parking_events',
  'trip_routes',
  'segment_days',
  'segment_hours',
  'station_spans',
  'station_states',
  'station_details',
  'curb_events',
  'curb_sessions',
  'curb_hours',
  'curb_day_hours',
  'curb_zone_days',
] as const

/** Removes the history of an earlier, incomplete run. */
export async function removeHistory(store: Facts, scope: Scope, regionId: string): Promise<void> {
  for (const table of tables) await store.remove(scope, table, sql`region_id = ${bind('String', regionId)}`)
}

/** Returns the time (ms) at which the history ends and the feeds begin: the start of a local day. */
export const getSeamMs = (timezone: string, day: number): number => createLocalDays(timezone)(day).startMs

/** Derives the history of all vehicles with MDS from the stored trips. */
export async function makeHistory(
  store: Facts,
  scope: Scope,
  { regionId, city, seed, until, lostAfterHours, firstRunMs }: MakeHistoryOptions,
  onDone: (operator: string) => void,
): Promise<void> {
  const seamMs = getSeamMs(city.timezone, until)
  await registerVehicles(store, scope, { regionId, seed, received: seamMs })
  const log = new TripLog(city, seed)
  const inWorkshop = listWorkshopVehicles(log, city.timezone, until)
  const simulation = new FleetSimulation(city, seed, log)
  const lonMeters = 111_195 * Math.cos((city.streets.lat0 * Math.PI) / 180)
  const mdsOperators = operators.filter(({ providerId }) => providerId)
  // In parallel, because the history of one operator uses one core.
  await Promise.all(
    mdsOperators.map(async ({ slug, name }, index) => {
      // MDS 1.2 has no event IDs.
      const hasIds = slug !== 'ternbikes'
      await storeHistory(
        store,
        scope,
        { regionId, operator: slug, timezone: city.timezone, lonMeters, seamMs, inWorkshop },
        {
          vehicles: simulation.vehicles(slug).length,
          hasIds,
          version: BigInt(firstRunMs) * 1000n + BigInt(index),
          lostAfterHours,
          atSeam: listSeamEvents(simulation, slug, seamMs).map((event) => toStoredEvent(event, hasIds)),
        },
      )
      onDone(name)
    }),
  )
}

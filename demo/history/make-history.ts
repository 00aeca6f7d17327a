import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, sql } from '#server/stores/sql.ts'
import type { City } from '../city.ts'
import { liveModel } from '../live/live-model.ts'
import { TripLog } from '../live/trip-log.ts'
import { operators } from '../operators.ts'
import { localDays } from '../trips/local-days.ts'
import { registerVehicles } from './register-vehicles.ts'
import { restingVehicles } from './resting-vehicles.ts'
import { seamEvents, storedEvent } from './seam-events.ts'
import { storeHistory } from './store-history.ts'

export interface MakingHistory {
  regionId: string
  city: Pick<City, 'streets' | 'timezone'>
  seed: number
  /** The local day (days since 1970-01-01) that begins where the feeds take over. */
  until: number
  lostAfterHours: number
  /** Ms since 1970: versions of what is derived follow from it. */
  at: number
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
] as const

/** Takes away what a history before left. */
export async function removeHistory(store: Facts, scope: Scope, regionId: string): Promise<void> {
  for (const table of tables) await store.remove(scope, table, sql`region_id = ${bind('String', regionId)}`)
}

/** When the feeds of the demo begin to tell: the local midnight that begins a day, ms. */
export const seamOf = (timezone: string, day: number): number => localDays(timezone)(day).startMs

/** Makes the past of all vehicles with MDS out of the stored trips, operator by operator: one by one they fit into memory. */
export async function makeHistory(
  store: Facts,
  scope: Scope,
  { regionId, city, seed, until, lostAfterHours, at }: MakingHistory,
  done: (operator: string) => void,
): Promise<void> {
  const seam = seamOf(city.timezone, until)
  await registerVehicles(store, scope, regionId, seed, seam)
  const log = new TripLog(city, seed)
  const resting = restingVehicles(log, city.timezone, until)
  const model = liveModel(city, seed, log)
  const lonMetres = 111_195 * Math.cos((city.streets.lat0 * Math.PI) / 180)
  const asked = operators.filter(({ providerId }) => providerId)
  for (const [index, { slug, name }] of asked.entries()) {
    // Only MDS 1.2 has no ids of events.
    const hasIds = slug !== 'ternbikes'
    await storeHistory(
      store,
      scope,
      { regionId, operator: slug, timezone: city.timezone, lonMetres, until: seam, resting },
      {
        vehicles: model.vehicles(slug).length,
        hasIds,
        version: BigInt(at) * 1000n + BigInt(index),
        lostAfterHours,
        atSeam: seamEvents(model, slug, seam).map((event) => storedEvent(event, hasIds)),
      },
    )
    done(name)
  }
}

import { systemScope } from '#server/identity/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { Bench } from './open-bench.ts'

const limits = { limits: { seconds: 1800, memory: 6 * 2 ** 30 } }
/** End of the parking event after a trip: up to ten hours later, derived from the trip's id. */
const parkedUntil = sql`end_time + toIntervalSecond(cityHash64(trip_id) % 36000)`

/** Stores a parking event and an interval after each trip, a drop-off before every 20th, and cubes. */
export async function storeMapFacts({
  app: { facts, state, derivation },
  scope,
  regionId,
}: Bench): Promise<void> {
  const trips = sql`from ${latest('trips')} where region_id = ${bind('String', regionId)} and isNotNull(end_time)`
  for (const table of ['parking_events', 'vehicle_intervals', 'vehicle_events'] as const)
    await facts.remove(scope, table, sql`region_id = ${bind('String', regionId)}`, limits)
  const span = [
    'region_id',
    'operator',
    'device_id',
    'from_time',
    'event_id',
    'to_time',
    'vehicle_type',
    'lon',
    'lat',
    'version',
  ] as const
  const row = sql`region_id, operator, trip_id, assumeNotNull(end_time), trip_id, assumeNotNull(${parkedUntil}), vehicle_type, end_lon, end_lat, 1`
  await facts.add(scope, 'parking_events', { columns: span, rows: sql`select ${row} ${trips}`, ...limits })
  await facts.add(scope, 'vehicle_intervals', {
    columns: [...span, 'state'],
    rows: sql`select ${row}, if(cityHash64(trip_id) % 7 = 0, 'non_operational', 'available') ${trips}`,
    ...limits,
  })
  await facts.add(scope, 'vehicle_events', {
    columns: [
      'region_id',
      'operator',
      'device_id',
      'event_time',
      'event_id',
      'state',
      'event_types',
      'lon',
      'lat',
      'version',
    ],
    rows: sql`
    select region_id, operator, trip_id, start_time, trip_id, 'available', ['provider_drop_off'], start_lon, start_lat, 1 ${trips} and cityHash64(trip_id) % 20 = 0`,
    ...limits,
  })
  // The derivation would mark the hours as dirty. These facts bypass it, so all cubes are computed again.
  await state.as(systemScope).deleteFrom('cube_layer').where('region_id', '=', regionId).execute()
  await derivation.idle(['shape_sums'])
}

import { systemScope } from '#server/identity/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { Bench } from './open-bench.ts'

const limits = { limits: { seconds: 1800, memory: 6 * 2 ** 30 } }
/** Hours that a vehicle rests, of 0 to 10, the same for the same trip. */
const rest = sql`end_time + toIntervalSecond(cityHash64(trip_id) % 36000)`

/** Facts for the other maps, and the hourly cubes of all: as many as there are trips: a rest and an interval behind each of them, and a drop-off at every twentieth. */
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
  const row = sql`region_id, operator, trip_id, assumeNotNull(end_time), trip_id, assumeNotNull(${rest}), vehicle_type, end_lon, end_lat, 1`
  await facts.add(scope, 'parking_events', span, sql`select ${row} ${trips}`, limits)
  await facts.add(
    scope,
    'vehicle_intervals',
    [...span, 'state'],
    sql`select ${row}, if(cityHash64(trip_id) % 7 = 0, 'non_operational', 'available') ${trips}`,
    limits,
  )
  await facts.add(
    scope,
    'vehicle_events',
    [
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
    sql`
    select region_id, operator, trip_id, start_time, trip_id, 'available', ['provider_drop_off'], start_lon, start_lat, 1 ${trips} and cityHash64(trip_id) % 20 = 0`,
    limits,
  )
  // These facts came past the derivation, which would have noted their hours: all cubes are made anew.
  await state.as(systemScope).deleteFrom('cube_layer').where('region_id', '=', regionId).execute()
  await derivation.idle(['shape_sums'])
}

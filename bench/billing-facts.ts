import { type LocalDay, localDay, startOfMonth, addDays, daysBetween } from '#contract/period.ts'
import { getDayStart } from '#server/regions/local-hours.ts'
import { eventLineColumns } from '#server/fleet/events/event-lines.ts'
import { intervalColumns } from '#server/fleet/events/queries/intervals.ts'
import { parkingColumns } from '#server/fleet/events/queries/parking-events.ts'
import { tripColumns } from '#server/fleet/trip-columns.ts'
import { bind, identifier, joinSql, type ScopedTable, type Sql, sql } from '#server/stores/sql.ts'
import { cityVehicles } from './fleet-days.ts'
import type { Bench } from './open-bench.ts'

/** Parking events of each vehicle in the month. Nine of ten follow a ride. */
const parkingEventsPerVehicle = 334
export const billedOperators = ['op0', 'op1', 'op2', 'op3'] as const
/** Number of parking events with facts in one insert. */
const eventsPerInsert = 1_500_000
const limits = { limits: { seconds: 1800, memory: 8 * 2 ** 30 }, areDistinct: true }

export interface BilledMonth {
  start_date: LocalDay
  end_date: LocalDay
}

/** Returns the last complete month of the region. */
export function lastMonth({ city }: Pick<Bench, 'city'>, at: Date): BilledMonth {
  const month = startOfMonth(localDay(at, city.timezone))
  return { start_date: startOfMonth(month, 1), end_date: addDays(month, -1) }
}

/** Trips of a month of an L city, in millions. */
export const millionTripsPerMonth = 4.5

/** Stores a month of a large city as derived facts: 4.5 million trips, 5.0 million parking events. */
export async function storeMonth(
  { app: { facts }, scope, regionId, city }: Bench,
  { start_date: first, end_date: last }: BilledMonth,
  vehicles = cityVehicles,
): Promise<void> {
  const begin = getDayStart(first, city.timezone)
  const cycle = Math.floor((daysBetween(first, last).length * 86_400) / parkingEventsPerVehicle)
  const start = sql`fromUnixTimestamp64Milli(${bind('Int64', String(begin))}, 'UTC')`
  const rides = (from: number, count: number): Sql => sql`
    select intDiv(number, ${bind('UInt32', parkingEventsPerVehicle)}) as vehicle, number % ${bind('UInt32', parkingEventsPerVehicle)} as turn,
      concat('op', toString(vehicle % 4)) as operator, toUUID(concat(leftPad(lower(hex(toUInt32(vehicle))), 8, '0'), '-0000-4000-8000-00000000d0d0')) as device_id,
      generateUUIDv4(number) as fact_id, if(vehicle % 5 = 0, 'bicycle', 'scooter_standing') as vehicle_type, cityHash64(vehicle, turn) % 10 > 0 as is_ride,
      ${start} + toIntervalSecond(turn * ${bind('UInt32', cycle)} + cityHash64(vehicle, turn, 1) % 4800) as ride_begin,
      ride_begin + toIntervalMillisecond(300000 + cityHash64(vehicle, turn, 2) % 1200000) as ride_end,
      ${start} + toIntervalSecond((turn + 1) * ${bind('UInt32', cycle)} + cityHash64(vehicle, turn + 1, 1) % 4800) as next_begin,
      ${bind('Float64', city.lon - 0.05)} + (cityHash64(vehicle, turn, 3) % 100000) / 1e6 as lon, ${bind('Float64', city.lat - 0.05)} + (cityHash64(vehicle, turn, 4) % 100000) / 1e6 as lat
    from numbers(${bind('UInt64', from)}, ${bind('UInt64', count)})`
  const zone = bind('String', city.timezone)
  const none = sql`toUUID('00000000-0000-0000-0000-000000000000')`
  const common: Readonly<Record<string, Sql>> = {
    region_id: sql`${bind('String', regionId)}`,
    event_id: sql`fact_id`,
    trip_id: sql`fact_id`,
    vehicle_id: sql`toString(device_id)`,
    accuracy: sql`toFloat32(5)`,
    battery: sql`toFloat32(50)`,
    is_deleted: sql`0`,
    version: sql`1`,
  }
  const parked = { from_time: sql`ride_end`, to_time: sql`next_begin`, ended: sql`1` }
  const tables: readonly [ScopedTable, readonly string[], Readonly<Record<string, Sql>>, Sql][] = [
    ['parking_events', parkingColumns, parked, sql`true`],
    [
      'vehicle_intervals',
      intervalColumns,
      { ...parked, state: sql`'available'`, event_types: sql`['trip_end']`, trip_id: none },
      sql`true`,
    ],
    [
      'vehicle_intervals',
      intervalColumns,
      {
        from_time: sql`ride_begin`,
        to_time: sql`ride_end`,
        state: sql`if(is_ride, 'on_trip', 'removed')`,
        event_types: sql`['trip_start']`,
        trip_id: sql`if(is_ride, fact_id, ${none})`,
      },
      sql`true`,
    ],
    ...(['trip_start', 'trip_end'] as const).map((type): (typeof tables)[number] => [
      'vehicle_events',
      eventLineColumns,
      {
        event_time: type === 'trip_start' ? sql`ride_begin` : sql`ride_end`,
        state: type === 'trip_start' ? sql`'on_trip'` : sql`'available'`,
        event_types: type === 'trip_start' ? sql`['trip_start']` : sql`['trip_end']`,
        trip_ids: sql`[]`,
        turn: sql`0`,
        superseded: sql`0`,
        feed_id: sql`'bench'`,
        batch_id: none,
        received_time: sql`next_begin`,
      },
      sql`is_ride`,
    ]),
    [
      'trips',
      tripColumns,
      {
        start_time: sql`ride_begin`,
        end_time: sql`ride_end`,
        local_date: sql`toDate(toTimeZone(ride_begin, ${zone}))`,
        local_hour: sql`toHour(toTimeZone(ride_begin, ${zone}))`,
        start_lon: sql`lon`,
        start_lat: sql`lat`,
        end_lon: sql`lon`,
        end_lat: sql`lat`,
        distance_m: sql`500 + cityHash64(fact_id) % 5000`,
        duration_s: sql`dateDiff('second', ride_begin, ride_end)`,
        quality: sql`0`,
        import_id: none,
        chunk: sql`0`,
        line: sql`0`,
        source: sql`'events'`,
      },
      sql`is_ride`,
    ],
  ]
  const rows = vehicles * parkingEventsPerVehicle
  for (let from = 0; from < rows; from += eventsPerInsert)
    for (const [table, columns, values, where] of tables)
      await facts.add(scope, table, {
        columns,
        rows: sql`select ${joinSql(
          columns.map((name) => values[name] ?? common[name] ?? identifier(name)),
          ', ',
        )} from (${rides(from, Math.min(eventsPerInsert, rows - from))}) where ${where}`,
        ...limits,
      })
}

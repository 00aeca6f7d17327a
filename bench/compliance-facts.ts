import { dayMs } from '#contract/period.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import type { FactTable, Sql } from '#server/stores/sql.ts'
import { bind, identifier, joinSql, latest, sql } from '#server/stores/sql.ts'
import { eventLineColumns } from '#server/fleet/events/event-lines.ts'
import { intervalColumns } from '#server/fleet/events/queries/intervals.ts'
import { parkingColumns } from '#server/fleet/events/queries/parking-events.ts'
import { tripColumns } from '#server/fleet/trip-columns.ts'
import { telemetryColumns } from '#server/fleet/events/record-lines.ts'
import { routeColumns } from '#server/routes/route-line.ts'
import { makeFleetDay } from './fleet-days.ts'
import type { Bench } from './open-bench.ts'
import type { Report } from './table.ts'

const limits = { limits: { seconds: 1800, memory: 8 * 2 ** 30 }, areDistinct: true }
/** Points of a trip's route, each with the speed there. */
const pointsPerTrip = 10

/** Ingests a week of a large city as if by feeds; `copyWeeks` copies it. Days begin at midnight UTC. */
export async function storeWeek(
  { app, organizationId, regionId, city }: Bench,
  beginMs: number,
): Promise<void> {
  const { fleetIngest: ingest } = app
  const operators = Array.from({ length: 4 }, (_, n) => `op${n}`)
  for (let day = 0; day < 7; day++) {
    const records = makeFleetDay(4870, { day, startMs: beginMs + day * dayMs }, city)
    for (const operator of operators)
      await ingest.store({
        organizationId,
        regionId,
        operator,
        feedId: 'bench',
        stream: 'events',
        windowStart: beginMs + day * dayMs,
        received: Date.now(),
        records: { ...records, events: records.events.filter((event) => event.operator === operator) },
      })
  }
  await ingest.whenDerived()
}

/** Copies the facts of the first week to later weeks, and stores routes and telemetry of copied trips. */
export async function copyWeeks(
  { app, scope, regionId }: Bench,
  beginMs: number,
  weeks: number,
  report: Report,
): Promise<void> {
  const end = bind('Int64', String(beginMs + 7 * dayMs))
  const copyTable = async (
    table: 'vehicle_events' | 'vehicle_intervals' | 'parking_events' | 'trips',
    columns: readonly string[],
    time: string,
    changed: Readonly<Record<string, Sql>>,
    week: number,
  ): Promise<void> => {
    const weekOffset = sql`toIntervalDay(${bind('UInt32', 7 * week)})`
    const expressions: Readonly<Record<string, Sql>> = {
      ...changed,
      [time]: sql`${identifier(time)} + ${weekOffset}`,
      ...(table === 'vehicle_intervals' || table === 'parking_events'
        ? {
            to_time: sql`least(to_time, fromUnixTimestamp64Milli(${end}) + toIntervalSecond(21600)) + ${weekOffset}`,
          }
        : {}),
    }
    const source: FactTable = latest(table)
    await app.facts.add(scope, table, {
      columns,
      rows: sql`select ${joinSql(
        columns.map((name) => expressions[name] ?? identifier(name)),
        ', ',
      )} from ${source} where region_id = ${bind('String', regionId)} and ${identifier(time)} < fromUnixTimestamp64Milli(${end})`,
      ...limits,
    })
  }
  for (let week = 1; week <= weeks; week++) {
    const number = bind('UInt32', week)
    await copyTable(
      'vehicle_events',
      eventLineColumns,
      'event_time',
      {
        event_types: sql`if(cityHash64(event_id, ${number}) % 40 = 0, ['provider_drop_off'], event_types)`,
        trip_ids: sql`[]`,
      },
      week,
    )
    await copyTable('vehicle_intervals', intervalColumns, 'from_time', {}, week)
    await copyTable(
      'parking_events',
      parkingColumns,
      'from_time',
      { accuracy: sql`toFloat32(3 + cityHash64(device_id, from_time) % 20)` },
      week,
    )
    await copyTable(
      'trips',
      tripColumns,
      'start_time',
      {
        trip_id: sql`reinterpretAsUUID(sipHash128(trip_id, ${number}))`,
        end_time: sql`end_time + toIntervalDay(${bind('UInt32', 7 * week)})`,
        local_date: sql`local_date + ${bind('UInt32', 7 * week)}`,
      },
      week,
    )
    report.log(`compliance: week ${week} of ${weeks}`)
  }
  await storeRides(scope, regionId, app.facts, beginMs)
}

/** Stores route and telemetry of every trip after the first week: straight lines with varying speed. */
async function storeRides(
  scope: Bench['scope'],
  regionId: string,
  facts: Bench['app']['facts'],
  beginMs: number,
): Promise<void> {
  const trips = sql`${latest('trips')} where region_id = ${bind('String', regionId)} and start_time >= ${toDateTime(String(beginMs + 7 * dayMs))} and isNotNull(end_time) and not isNaN(start_lon + end_lon)`
  const steps = bind('UInt8', pointsPerTrip)
  const interpolate = (from: string, to: string, step: Sql): Sql =>
    sql`${identifier(from)} + (${identifier(to)} - ${identifier(from)}) * ${step} / ${bind('UInt8', pointsPerTrip - 1)}`
  const interpolateList = (from: string, to: string): Sql =>
    sql`arrayMap(step -> toInt32(round((${interpolate(from, to, sql`step`)}) * 1000000)), range(${steps}))`
  const routeExpressions: Readonly<Record<string, Sql>> = {
    device_id: sql`toUUID(vehicle_id)`,
    lon: interpolateList('start_lon', 'end_lon'),
    lat: interpolateList('start_lat', 'end_lat'),
    seconds: sql`arrayMap(step -> toUInt32(duration_s * step / ${bind('UInt8', pointsPerTrip - 1)}), range(${steps}))`,
    length_m: sql`0`,
    points: sql`${steps}`,
    segments: sql`[]`,
    directions: sql`[]`,
    is_deleted: sql`0`,
  }
  await facts.add(scope, 'trip_routes', {
    columns: routeColumns,
    rows: sql`select ${joinSql(
      routeColumns.map((name) => routeExpressions[name] ?? identifier(name)),
      ', ',
    )} from ${trips}`,
    ...limits,
  })
  const telemetryExpressions: Readonly<Record<string, Sql>> = {
    device_id: sql`toUUID(vehicle_id)`,
    time: sql`start_time + toIntervalMillisecond(toUInt32(duration_s * 1000 * step / ${bind('UInt8', pointsPerTrip - 1)}))`,
    telemetry_id: sql`reinterpretAsUUID(sipHash128(trip_id, step))`,
    lon: interpolate('start_lon', 'end_lon', sql`step`),
    lat: interpolate('start_lat', 'end_lat', sql`step`),
    speed: sql`if(operator = 'op3', nan, cityHash64(trip_id, step) % 80 / 10)`,
    heading: sql`nan`,
    accuracy: sql`3 + cityHash64(trip_id, step) % 20`,
    battery: sql`nan`,
    feed_id: sql`''`,
    batch_id: sql`trip_id`,
    received_time: sql`start_time`,
  }
  await facts.add(scope, 'telemetry', {
    columns: telemetryColumns,
    rows: sql`select ${joinSql(
      telemetryColumns.map((name) => telemetryExpressions[name] ?? identifier(name)),
      ', ',
    )} from (select *, arrayJoin(range(${steps})) as step from ${trips})`,
    ...limits,
  })
}

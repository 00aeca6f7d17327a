import { minuteMs } from '#contract/period.ts'
import { sumsByShapeSql } from '#server/fleet/sums-by-shape.ts'
import { toMilliseconds, toDateTime } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql, facts } from '#server/stores/sql.ts'
import { extentSql, factConditions } from '../queries/fact-sql.ts'
import { splitByTime } from '../queries/split-by-time.ts'
import { type Mode, type QueryContext, type ShapeLookup, sumRows, getSettledMs } from './mode.ts'

/** Longer parking events are also in `long_rests`, so that a query need not scan all earlier events. */
const longParkingDays = 7

/** Builds SQL for parking events that overlap the period, `begins` to `ends` (ms). */
function parkingEventsSql({ filters, time }: QueryContext): Sql {
  const region = bind('String', filters.region_id)
  const earliestShortStart = sql`${toDateTime(time.from)} - toIntervalDay(${bind('UInt8', longParkingDays)})`
  const events = sql`
  select operator, vehicle_type, lon, lat, ${toMilliseconds(sql`from_time`)} as begins, ${toMilliseconds(sql`to_time`)} as ends
  from ${latest('parking_events')}
  where ${factConditions(filters)}`
  return sql`${events}
    and from_time >= ${earliestShortStart} and from_time < ${toDateTime(time.until)} and to_time > ${toDateTime(time.from)}
  union all ${events}
    and from_time < ${earliestShortStart} and to_time > ${toDateTime(time.from)} and (operator, device_id, from_time) in (
      select operator, device_id, from_time from ${facts('long_rests')}
      where region_id = ${region} and from_time < ${earliestShortStart} and to_time > ${toDateTime(time.from)}
    )`
}

/**
 * Builds SQL for the parking by shape: `events` that begin in the period, `length_ms`, their full durations, and
 * `parked_ms`, the time within the period of all events, including earlier ones.
 */
export function parkingByShapeSql(context: QueryContext, lookup: ShapeLookup): Sql {
  const { time, bucket, parkedMinutes } = context
  const settledMsSql = sql`${bind('Int64', String(getSettledMs(context)))}`
  const lengthSql = sql`least(ends, ${settledMsSql}) - begins`
  const events =
    parkedMinutes > 0
      ? sql`select * from (${parkingEventsSql(context)}) where ${lengthSql} >= ${bind('Int64', parkedMinutes * minuteMs)}`
      : parkingEventsSql(context)
  const firstPartCondition = sql`begins = part_begins`
  const parts = sql`
  select
    lon, lat${bucket ? sql`, bucket` : sql``},
    toUInt64(${firstPartCondition}) as events,
    if(${firstPartCondition}, greatest(0, ${lengthSql}), 0) as length_ms,
    greatest(0, least(part_ends, ${settledMsSql}) - part_begins) as parked_ms
  from (${splitByTime(events, time, bucket)})`
  return sumsByShapeSql({
    facts: parts,
    keys: bucket ? ['bucket'] : [],
    sums: ['events', 'length_ms', 'parked_ms'],
    ...lookup,
  })
}

const parkingExtentSql = (regionId: string, timezone: string): Sql =>
  extentSql(
    sql`select operator, vehicle_type, ${toMilliseconds(sql`from_time`)} as first_at, first_at as last_at from ${latest('parking_events')} where region_id = ${bind('String', regionId)}`,
    timezone,
  )

/**
 * Parking events. An event counts in the day and hour in which it begins, and means include its full
 * duration. Total duration is the time within the period, also of events that began earlier. `n`: events that
 * begin in the period.
 */
export const parking: Mode = {
  name: 'parking',
  getUnit(aggregation) {
    if (aggregation === 'total_parking_events') return 'events'
    return aggregation === 'daily_parking_events' ? 'events_per_day' : 'minutes'
  },
  isMean: (aggregation) => aggregation === 'average_parked_duration',
  basis: (context) => [context.parkedMinutes, getSettledMs(context)],
  query: parkingByShapeSql,
  // Cubes do not contain the full durations of parking events.
  cubed: ({ aggregation, parkedMinutes }) =>
    parkedMinutes > 0 || aggregation === 'average_parked_duration'
      ? null
      : { sums: { events: 'parking_begins', parked_ms: 'parked_ms' }, byOperator: false },
  figures(aggregation, { rows, span }) {
    const count = sumRows(rows, 'events')
    const minutes = sumRows(rows, 'parked_ms') / minuteMs
    const values: Readonly<Record<string, number | null>> = {
      total_parking_events: count,
      daily_parking_events: span.days ? count / span.days : null,
      total_parked_duration: minutes,
      average_parked_duration: count ? sumRows(rows, 'length_ms') / minuteMs / count : null,
    }
    return { value: values[aggregation] ?? null, n: count, counts: { count, total_parked_duration: minutes } }
  },
  extent: parkingExtentSql,
}

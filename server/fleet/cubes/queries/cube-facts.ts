import { createLostRule } from '#server/regions/lost-vehicles.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import { dropOffEvents, placedSums, stationaryStates } from '../cube-columns.ts'

/** A region and a time range (ms, half open) with which facts overlap. */
export interface FactSpan {
  regionId: string
  from: number
  until: number
  lostAfterHours: number
}

/** Longer parking events are also listed in long_rests, so that a query need not scan all earlier events. */
export const longParkingDays = 7

/** Returns the number of a sum in `placedSums`. */
const kindSql = (name: (typeof placedSums)[number]): Sql =>
  sql`toUInt8(${bind('UInt8', placedSums.indexOf(name))})`
const msSql = (moment: Sql): Sql => sql`toUnixTimestamp64Milli(${moment})`

const withinCondition = (column: Sql, { from, until }: FactSpan): Sql =>
  sql`${column} >= ${toDateTime(from)} and ${column} < ${toDateTime(until)}`

/** Builds SQL for parking events that overlap the time range. */
export const overlappingParkingSql = (span: Omit<FactSpan, 'lostAfterHours'>): Sql => {
  const region = bind('String', span.regionId)
  const earliestShortStart = sql`${toDateTime(span.from)} - toIntervalDay(${bind('UInt8', longParkingDays)})`
  return sql`
    select operator, device_id, vehicle_type, lon, lat, from_time, to_time
    from ${latest('parking_events')}
    where
      region_id = ${region}
      and from_time >= ${earliestShortStart}
      and from_time < ${toDateTime(span.until)}
      and to_time > ${toDateTime(span.from)}
    union all
    select operator, device_id, vehicle_type, lon, lat, from_time, to_time
    from ${latest('parking_events')}
    where
      region_id = ${region}
      and from_time < ${earliestShortStart}
      and to_time > ${toDateTime(span.from)}
      and (operator, device_id, from_time) in (
        select operator, device_id, from_time
        from ${facts('long_rests')}
        where
          region_id = ${region}
          and from_time < ${earliestShortStart}
          and to_time > ${toDateTime(span.from)}
      )`
}

/** Builds SQL for two facts of each parking event: its start, and its duration. */
const parkingFactsSql = (span: FactSpan): Sql => sql`
  select
    operator, vehicle_type, lon, lat,
    part.1 as kind,
    part.2 as begins,
    part.3 as ends
  from (
    select
      operator, vehicle_type, lon, lat,
      arrayJoin([
        (${kindSql('parking_begins')}, ${msSql(sql`from_time`)}, ${msSql(sql`from_time`)} + 1),
        (${kindSql('parked_ms')}, ${msSql(sql`from_time`)}, ${msSql(sql`to_time`)})
      ]) as part
    from (${overlappingParkingSql(span)})
  )`

const dropOffFactsSql = (span: FactSpan): Sql => sql`
  select
    event.operator as operator,
    if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type,
    event.lon as lon,
    event.lat as lat,
    ${kindSql('drop_offs')} as kind,
    ${msSql(sql`event.event_time`)} as begins,
    begins + 1 as ends
  from (
    select operator, device_id, event_time, lon, lat
    from ${latest('vehicle_events')}
    where
      region_id = ${bind('String', span.regionId)}
      and superseded = 0
      and ${withinCondition(sql`event_time`, span)}
      and hasAny(event_types, ${bind('Array(String)', dropOffEvents)})
  ) as event
  left join (
    select operator, device_id, vehicle_type
    from ${latest('vehicles')}
    where region_id = ${bind('String', span.regionId)}
  ) as vehicle
    on vehicle.operator = event.operator and vehicle.device_id = event.device_id`

/**
 * Builds SQL for intervals of vehicles at rest. A vehicle without an event for `lostAfterHours` is lost and
 * no longer counted.
 */
const stationaryFactsSql = (span: FactSpan): Sql => {
  const rule = createLostRule(span.lostAfterHours)
  return sql`
    select
      operator, vehicle_type, lon, lat,
      toUInt8(
        ${kindSql('available_ms')} + indexOf(${bind('Array(String)', stationaryStates)}, state) - 1
      ) as kind,
      ${msSql(sql`from_time`)} as begins,
      ${msSql(sql`least(to_time, ${rule.lostAt(sql`from_time`)})`)} as ends
    from ${latest('vehicle_intervals')}
    where
      region_id = ${bind('String', span.regionId)}
      and state in ${bind('Array(String)', stationaryStates)}
      and from_time < ${toDateTime(span.until)}
      and ${rule.hasContact(sql`from_time`, toDateTime(span.from))}
      and to_time > ${toDateTime(span.from)}`
}

/**
 * Builds SQL for all facts of cubes except trips, in one form: operator, vehicle type, place, `kind` (an
 * index in `placedSums`), and the time from `begins` to `ends` (ms), clipped to the time range. Events last 1
 * ms, so that summing durations counts them.
 */
export const cubeFactsSql = (span: FactSpan): Sql => {
  const parts = [parkingFactsSql(span), dropOffFactsSql(span), stationaryFactsSql(span)].map(
    (select) =>
      sql`
        select operator, vehicle_type, lon, lat, kind, toInt64(begins) as begins, toInt64(ends) as ends
        from (${select})`,
  )
  return sql`
    select
      operator, vehicle_type, lon, lat, kind,
      greatest(begins, ${bind('Int64', String(span.from))}) as begins,
      least(ends, ${bind('Int64', String(span.until))}) as ends
    from (${unionAll(parts)})
    where ends > begins`
}

const unionAll = (parts: readonly Sql[]): Sql =>
  parts.reduce((union, select) => sql`${union} union all ${select}`)

import { lostRule } from '#server/regions/lost-vehicles.ts'
import { instant } from '#server/stores/instant.ts'
import { bind, facts, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { dropOffEvents, placedSums, stationaryStates } from '../cube-columns.ts'

/** Which facts: those of a region that lie in or reach into a time, ms, half open. */
export interface FactSpan {
  regionId: string
  from: number
  until: number
  lostAfterHours: number
}

/** Longer parking events are listed in long_rests. */
const longParkingDays = 7

const kind = (name: (typeof placedSums)[number]): Sql =>
  sql`toUInt8(${bind('UInt8', placedSums.indexOf(name))})`
const ms = (moment: Sql): Sql => sql`toUnixTimestamp64Milli(${moment})`

const within = (column: Sql, { from, until }: FactSpan): Sql =>
  sql`${column} >= ${instant(from)} and ${column} < ${instant(until)}`

/** Parking events that reach into the time. */
export const parkingEvents = (span: Omit<FactSpan, 'lostAfterHours'>): Sql => {
  const region = bind('String', span.regionId)
  const near = sql`${instant(span.from)} - toIntervalDay(${bind('UInt8', longParkingDays)})`
  return sql`
  select operator, device_id, vehicle_type, lon, lat, from_time, to_time from ${latest('parking_events')}
  where region_id = ${region} and from_time >= ${near} and from_time < ${instant(span.until)} and to_time > ${instant(span.from)}
  union all
  select operator, device_id, vehicle_type, lon, lat, from_time, to_time from ${latest('parking_events')}
  where region_id = ${region} and from_time < ${near} and to_time > ${instant(span.from)} and (operator, device_id, from_time) in (
    select operator, device_id, from_time from ${facts('long_rests')} where region_id = ${region} and from_time < ${near} and to_time > ${instant(span.from)}
  )`
}

const parking = (span: FactSpan): Sql => sql`
  select operator, vehicle_type, lon, lat, part.1 as kind, part.2 as begins, part.3 as ends
  from (
    select operator, vehicle_type, lon, lat, arrayJoin([(${kind('parking_begins')}, ${ms(sql`from_time`)}, ${ms(sql`from_time`)} + 1), (${kind('parked_ms')}, ${ms(sql`from_time`)}, ${ms(sql`to_time`)})]) as part
    from (${parkingEvents(span)})
  )`

const dropOffs = (span: FactSpan): Sql => sql`
  select event.operator as operator, if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type, event.lon as lon, event.lat as lat, ${kind('drop_offs')} as kind, ${ms(sql`event.event_time`)} as begins, begins + 1 as ends
  from (
    select operator, device_id, event_time, lon, lat from ${latest('vehicle_events')}
    where region_id = ${bind('String', span.regionId)} and superseded = 0 and ${within(sql`event_time`, span)} and hasAny(event_types, ${bind('Array(String)', dropOffEvents)})
  ) as event
  left join (select operator, device_id, vehicle_type from ${latest('vehicles')} where region_id = ${bind('String', span.regionId)}) as vehicle on vehicle.operator = event.operator and vehicle.device_id = event.device_id`

/** From when to when each vehicle stood, as the fleet's size counts it: a vehicle leaves the count once it has been silent for lostAfterHours. */
const stationaryIntervals = (span: FactSpan): Sql => {
  const rule = lostRule(span.lostAfterHours)
  return sql`
  select operator, vehicle_type, lon, lat, toUInt8(${kind('available_ms')} + indexOf(${bind('Array(String)', stationaryStates)}, state) - 1) as kind, ${ms(sql`from_time`)} as begins, ${ms(sql`least(to_time, ${rule.lostAt(sql`from_time`)})`)} as ends
  from ${latest('vehicle_intervals')}
  where region_id = ${bind('String', span.regionId)} and state in ${bind('Array(String)', stationaryStates)}
    and from_time < ${instant(span.until)} and ${rule.hasContact(sql`from_time`, instant(span.from))} and to_time > ${instant(span.from)}`
}

/**
 * Everything that a cube counts but trips, in one form: who, where, what (`kind`, a position in placedSums), from when to when in ms, cut to
 * the time. What happens at a moment lasts one ms, so that it counts as one.
 */
export const cubeFacts = (span: FactSpan): Sql => {
  const all = [parking(span), dropOffs(span), stationaryIntervals(span)].map(
    (part) =>
      sql`select operator, vehicle_type, lon, lat, kind, toInt64(begins) as begins, toInt64(ends) as ends from (${part})`,
  )
  return sql`
  select operator, vehicle_type, lon, lat, kind, greatest(begins, ${bind('Int64', String(span.from))}) as begins, least(ends, ${bind('Int64', String(span.until))}) as ends
  from (${joinAll(all)})
  where ends > begins`
}

const joinAll = (parts: readonly Sql[]): Sql =>
  parts.slice(1).reduce((all, part) => sql`${all} union all ${part}`, joinSql(parts.slice(0, 1), ', '))

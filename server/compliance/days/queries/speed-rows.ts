import { dayNumber, dayFromNumber } from '#contract/period.ts'
import { speedReachMs } from '#server/mobility/ride-days.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import { none, type Span } from './fact-rows.ts'
import { type Asked, ruleConditions } from '../rule-conditions.ts'

/** A UTC day of an operator. */
export interface OperatorDay {
  operator: string
  day: string
}

/** Where the speeds of a span's rides are: kept, day by day, or to be found, where what was told has changed since or nothing is kept. */
export interface KnownSpeeds {
  kept: readonly (OperatorDay & { build: string })[]
  due: readonly OperatorDay[]
}

export const dayMs = 86_400_000

/** The UTC day of a moment, ms. */
export const utcDay = (at: number): string => dayFromNumber(Math.floor(at / dayMs))
/** When a UTC day begins, ms. */
export const beginOf = (day: string): number => dayNumber(day) * dayMs

/** Metres between two places, along a great circle of a sphere as large as the Earth (mean radius 6,371,008.8 m). */
const metres = sql`12742017.6 * asin(least(1, sqrt(pow(sin(radians(lat - lat_before) / 2), 2) + cos(radians(lat)) * cos(radians(lat_before)) * pow(sin(radians(lon - lon_before) / 2), 2))))`

/** Metres of a degree of a great circle, and a little more: so far two places lie apart at most for each degree between them. */
const mostMetresOfDegree = 111_200

const columns = sql`operator, device_id, telemetry_id, trip_id, time, lon, lat, accuracy`
const isTold = sql`isFinite(speed) and speed >= 0`
const ms = (value: number): Sql => sql`${bind('Int64', String(value))}`

/** Only speeds over a limit, m/s, in the digits in which telemetry is stored: 25 km/h told as 6.944444444 m/s is not over 25 km/h. */
const fasterThan = (over: number | null): Sql =>
  over === null ? sql`true` : sql`toFloat32(speed) > toFloat32(${bind('Float64', over)})`

/** A speed in whole m/s, by which kept speeds lie together. */
export const paceOf = sql`toUInt8(least(255, floor(toFloat32(speed))))`

/** Operators' days as a list of the store. */
export const listOf = (days: readonly OperatorDay[]): Sql =>
  sql`arrayZip(${bind(
    'Array(String)',
    days.map(({ operator }) => operator),
  )}, ${bind(
    'Array(Date)',
    days.map(({ day }) => day),
  )})`

/**
 * Places of rides on some operators' days, with their `speed` in m/s: as told, else from the vehicle's place just before, where that is of the same ride. Those
 * without one are left out.
 */
export function foundSpeeds(
  regionId: string,
  { first, last }: Span,
  due: readonly OperatorDay[],
  over: number | null = null,
): Sql {
  const starts = due.map(({ day }) => beginOf(day))
  const [from, until] = [Math.max(first, Math.min(...starts)), Math.min(last, Math.max(...starts) + dayMs)]
  const listed = sql`(select arrayJoin(${listOf(due)}))`
  const isDue = sql`time >= ${instant(from)} and (operator, toDate(time)) in ${listed}`
  const during = sql`region_id = ${bind('String', regionId)} and time >= ${instant(from - speedReachMs)} and time < ${instant(until)}`
  const within = sql`${during} and trip_id != ${none}`
  // Only the places of operators that do not tell all speeds are put in order: as they are stored, so that little is left to sort.
  const afterOthers = sql`
  select *, lagInFrame(time) over place as before, lagInFrame(trip_id) over place as trip_before, lagInFrame(lon) over place as lon_before, lagInFrame(lat) over place as lat_before
  from ${latest('telemetry')} where ${within} and operator in (select operator from ${latest('telemetry')} where ${during} and not (${isTold}) group by operator)
  window place as (partition by region_id, operator, device_id order by time, telemetry_id rows between 1 preceding and current row)`
  const untold = sql`
  select * except(far, took), ${metres} / took as speed
  from (
    select ${columns}, lon_before, lat_before, abs(lon - lon_before) + abs(lat - lat_before) as far, dateDiff('millisecond', before, time) / 1000 as took
    from (${afterOthers}) where not (${isTold}) and trip_before = trip_id and time > before and dateDiff('millisecond', before, time) <= ${ms(speedReachMs)} and ${isDue}
  )
  where far * ${bind('Float64', mostMetresOfDegree)} >= took * ${bind('Float64', over ?? -1)}`
  return sql`
  select ${columns}, toFloat64(speed) as speed from ${latest('telemetry')} where ${within} and ${isTold} and ${fasterThan(over)} and ${isDue}
  union all select ${columns}, speed from (${untold}) where ${fasterThan(over)}`
}

/** Builds of days as a list of the store. */
export const buildsOf = (kept: KnownSpeeds['kept']): Sql =>
  sql`arrayMap((each, build) -> (each.1, each.2, toUInt64(build)), ${listOf(kept)}, ${bind(
    'Array(String)',
    kept.map(({ build }) => build),
  )})`

/** The same of days that are kept: what is slower is not read. */
function keptSpeeds(
  regionId: string,
  { first, last }: Span,
  kept: KnownSpeeds['kept'],
  over: number | null,
): Sql {
  const pace =
    over === null
      ? sql`true`
      : sql`pace >= ${bind('UInt8', Math.max(0, Math.min(255, Math.floor(Math.fround(over)))))}`
  return sql`
  select ${columns}, speed from ${facts('ride_speeds')}
  where region_id = ${bind('String', regionId)} and day >= ${bind('Date', utcDay(first))} and day <= ${bind('Date', utcDay(last))} and ${pace} and ${fasterThan(over)}
    and time >= ${instant(first)} and time < ${instant(last)} and (operator, day, build) in (select arrayJoin(${buildsOf(kept)}))`
}

/** Places of rides in a span, with their `speed` in m/s; only those that were faster than `over`, m/s. */
export function speedRows(
  asked: Asked,
  { first, last }: Span,
  known: KnownSpeeds,
  over: number | null = null,
): Sql {
  const { regionId } = asked
  const span = { first, last: Math.min(last, asked.now + 1) }
  const [kept, found] = [
    keptSpeeds(regionId, span, known.kept, over),
    known.due.length ? foundSpeeds(regionId, span, known.due, over) : null,
  ]
  return sql`
  select * from (
    select ${bind('String', regionId)} as region_id, place.operator as operator, place.device_id as device_id, if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type, place.telemetry_id as fact_id, place.trip_id as trip_id,
      ${msOf(sql`place.time`)} as begins, begins as ends, place.lon as lon, place.lat as lat, place.accuracy as accuracy, place.speed as speed
    from (${found ? sql`${kept} union all ${found}` : kept}) as place
    left join (select operator, device_id, vehicle_type from ${latest('vehicles')} where region_id = ${bind('String', regionId)}) as vehicle on vehicle.operator = place.operator and vehicle.device_id = place.device_id
  )
  where ${ruleConditions(asked)}`
}

import { dayFromNumber, dayMs, dayNumber } from '#contract/period.ts'
import { speedReachMs } from '#server/fleet/ride-days.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import { noTripId, type Span } from './fact-rows.ts'
import { type FactFilter, ruleConditions } from '../rule-conditions.ts'

/** A UTC day of an operator, written YYYY-MM-DD. */
export interface OperatorDay {
  operator: string
  day: string
}

/** Days of a span with stored speeds, and those to compute: telemetry changed or nothing is stored. */
export interface SpeedSources {
  stored: readonly (OperatorDay & { build: string })[]
  due: readonly OperatorDay[]
}

/** Returns the UTC day of a moment, ms. */
export const toUtcDay = (ms: number): string => dayFromNumber(Math.floor(ms / dayMs))
/** Returns the start of a UTC day, ms. */
export const getUtcDayStart = (day: string): number => dayNumber(day) * dayMs

/** SQL of the great-circle distance of two places, m. 12742017.6 is twice the mean radius of the earth. */
const distanceColumn = sql`
  12742017.6 * asin(least(1, sqrt(
    pow(sin(radians(lat - lat_before) / 2), 2)
    + cos(radians(lat)) * cos(radians(lat_before)) * pow(sin(radians(lon - lon_before) / 2), 2)
  )))`

/** Upper bound of the meters per degree. */
const maxMetersPerDegree = 111_200

const columns = sql`operator, device_id, telemetry_id, trip_id, time, lon, lat, accuracy`
const reportedCondition = sql`isFinite(speed) and speed >= 0`
const bindMs = (value: number): Sql => sql`${bind('Int64', String(value))}`

/** Builds the SQL condition for speeds over a limit, m/s, at stored precision (see `toStoredPrecision`). */
const fasterCondition = (limit: number | null): Sql =>
  limit === null ? sql`true` : sql`toFloat32(speed) > toFloat32(${bind('Float64', limit)})`

/** SQL of a speed in whole m/s (column `pace`), which is part of the sorting key of stored speeds. */
export const wholeSpeedColumn = sql`toUInt8(least(255, floor(toFloat32(speed))))`

/** Builds SQL for an array of operators' days. */
export const operatorDayArray = (days: readonly OperatorDay[]): Sql =>
  sql`arrayZip(${bind(
    'Array(String)',
    days.map(({ operator }) => operator),
  )}, ${bind(
    'Array(Date)',
    days.map(({ day }) => day),
  )})`

/**
 * Builds SQL for places of trips on operators' days, with their `speed` in m/s: as reported, otherwise
 * computed from the vehicle's previous place on the same trip. Places without a speed are omitted.
 * @param due The days; not empty.
 * @param limit Only speeds above it; null for all.
 */
export function computedSpeedRows(
  regionId: string,
  span: Span,
  due: readonly OperatorDay[],
  limit: number | null = null,
): Sql {
  const dayStarts = due.map(({ day }) => getUtcDayStart(day))
  const from = Math.max(span.from, Math.min(...dayStarts))
  const until = Math.min(span.until, Math.max(...dayStarts) + dayMs)
  const dueDays = sql`(select arrayJoin(${operatorDayArray(due)}))`
  const isDue = sql`time >= ${toDateTime(from)} and (operator, toDate(time)) in ${dueDays}`
  const isInTime = sql`
    region_id = ${bind('String', regionId)}
    and time >= ${toDateTime(from - speedReachMs)} and time < ${toDateTime(until)}`
  const isOnTrip = sql`${isInTime} and trip_id != ${noTripId}`
  // Only operators that do not report all speeds need the previous place. The window has the stored order, so
  // sorting is cheap.
  const placesWithPrevious = sql`
  select
    *,
    lagInFrame(time) over place as before,
    lagInFrame(trip_id) over place as trip_before,
    lagInFrame(lon) over place as lon_before,
    lagInFrame(lat) over place as lat_before
  from ${latest('telemetry')}
  where ${isOnTrip}
    and operator in (
      select operator
      from ${latest('telemetry')}
      where ${isInTime} and not (${reportedCondition})
      group by operator
    )
  window place as (
    partition by region_id, operator, device_id
    order by time, telemetry_id
    rows between 1 preceding and current row
  )`
  const computed = sql`
  select * except(far, took), ${distanceColumn} / took as speed
  from (
    select
      ${columns},
      lon_before,
      lat_before,
      abs(lon - lon_before) + abs(lat - lat_before) as far,
      dateDiff('millisecond', before, time) / 1000 as took
    from (${placesWithPrevious})
    where not (${reportedCondition})
      and trip_before = trip_id
      and time > before
      and dateDiff('millisecond', before, time) <= ${bindMs(speedReachMs)}
      and ${isDue}
  )
  -- excludes slow ones before their distance is computed
  where far * ${bind('Float64', maxMetersPerDegree)} >= took * ${bind('Float64', limit ?? -1)}`
  return sql`
  select ${columns}, toFloat64(speed) as speed
  from ${latest('telemetry')}
  where ${isOnTrip} and ${reportedCondition} and ${fasterCondition(limit)} and ${isDue}
  union all
  select ${columns}, speed
  from (${computed})
  where ${fasterCondition(limit)}`
}

/** Builds SQL for an array of operators' days with the numbers of their stored builds. */
export const operatorDayBuildArray = (stored: SpeedSources['stored']): Sql =>
  sql`
    arrayMap(
      (operator_day, build) -> (operator_day.1, operator_day.2, toUInt64(build)),
      ${operatorDayArray(stored)},
      ${bind(
        'Array(String)',
        stored.map(({ build }) => build),
      )}
    )`

/** Builds SQL for stored speeds. Slower ones are excluded by the sorting key (`pace`). */
function storedSpeedRows(
  regionId: string,
  { from, until }: Span,
  stored: SpeedSources['stored'],
  limit: number | null,
): Sql {
  const isFastEnough =
    limit === null
      ? sql`true`
      : sql`pace >= ${bind('UInt8', Math.max(0, Math.min(255, Math.floor(Math.fround(limit)))))}`
  return sql`
  select ${columns}, speed
  from ${facts('ride_speeds')}
  where region_id = ${bind('String', regionId)}
    and day >= ${bind('Date', toUtcDay(from))}
    and day <= ${bind('Date', toUtcDay(until))}
    and ${isFastEnough}
    and ${fasterCondition(limit)}
    and time >= ${toDateTime(from)}
    and time < ${toDateTime(until)}
    and (operator, day, build) in (select arrayJoin(${operatorDayBuildArray(stored)}))`
}

/** Builds SQL for places of trips in a span with their `speed` in m/s. @param limit Only speeds above it. */
export function speedRows(
  filter: FactFilter,
  { from, until }: Span,
  sources: SpeedSources,
  limit: number | null = null,
): Sql {
  const { regionId } = filter
  const span = { from, until: Math.min(until, filter.now + 1) }
  const stored = storedSpeedRows(regionId, span, sources.stored, limit)
  const computed = sources.due.length ? computedSpeedRows(regionId, span, sources.due, limit) : null
  return sql`
  with
    places as (${computed ? sql`${stored} union all ${computed}` : stored}),
    types_of_vehicles as (
      select operator, device_id, vehicle_type
      from ${latest('vehicles')}
      where region_id = ${bind('String', regionId)}
    ),
    places_with_type as (
      select
        ${bind('String', regionId)} as region_id,
        place.operator as operator,
        place.device_id as device_id,
        if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type,
        place.telemetry_id as fact_id,
        place.trip_id as trip_id,
        ${toMilliseconds(sql`place.time`)} as begins,
        begins as ends,
        place.lon as lon,
        place.lat as lat,
        place.accuracy as accuracy,
        place.speed as speed
      from places as place
      left join types_of_vehicles as vehicle
        on vehicle.operator = place.operator and vehicle.device_id = place.device_id
    )
  select *
  from places_with_type
  where ${ruleConditions(filter)}`
}

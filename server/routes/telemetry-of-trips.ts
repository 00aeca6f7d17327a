import { toDateTime } from '#server/stores/date-time.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import { localDaysCondition, dirtyTripsSql, type TripSpan } from '#server/fleet/events/fleet-derivation.ts'

/** A dirty trip with its telemetry, sorted by time. */
export interface TripTelemetry {
  operator: string
  trip_id: string
  device_id: string
  vehicle_type: string
  /** Milliseconds since 1970, as a string. */
  start: string
  local_date: string
  local_hour: number
  lon: number[]
  lat: number[]
  /** Seconds since the start. */
  seconds: number[]
}

/** The dirty trips of some runs. */
export interface TripRuns {
  regionId: string
  runIds: readonly string[]
  /** The time range of all records of the runs. */
  reach: TripSpan
}

interface TripRunsPart extends TripRuns {
  /** Trips are split into `parts` by trip id; `part` is from 0. */
  parts: number
  part: number
}

/** Telemetry of a trip may have times up to this long before its start and after its end. */
const marginMinutes = 10

/**
 * Builds SQL for the dirty trips as currently stored. Trips from files are excluded, because their vehicles have no
 * telemetry.
 */
const currentTripsSql = ({ regionId, runIds, reach }: TripRuns): Sql => sql`
  select
    operator, trip_id,
    toUUIDOrZero(vehicle_id) as device_id,
    vehicle_type, start_time, end_time, local_date, local_hour
  from ${latest('trips')}
  where
    ${localDaysCondition({ regionId, ...reach })}
    and source != 'file'
    and (operator, trip_id) in (${dirtyTripsSql(regionId, runIds)})`

/** Builds SQL for the number of dirty trips and the time range (ms) that contains them. */
export const dirtyTripsSpanSql = (runs: TripRuns): Sql => sql`
  select
    count() as trips,
    toString(toUnixTimestamp64Milli(min(start_time))) as from,
    toString(toUnixTimestamp64Milli(max(ifNull(end_time, start_time + interval 1 day)))) as until
  from (${currentTripsSql(runs)})`

/** Builds SQL for one row if there is any telemetry in a time range (ms), extended by the margin. */
export const telemetryExistsSql = (regionId: string, from: string, until: string): Sql => sql`
  select 1 as found
  from ${facts('telemetry')}
  where
    region_id = ${bind('String', regionId)}
    and time >= ${toDateTime(from)} - interval ${bind('UInt32', marginMinutes)} minute
    and time <= ${toDateTime(until)} + interval ${bind('UInt32', marginMinutes)} minute
  limit 1`

/** Builds SQL for the dirty trips with at least two points of telemetry, in their time range (ms). */
export const telemetryOfTripsSql = (runs: TripRunsPart, from: string, until: string): Sql => {
  const margin = bind('UInt32', marginMinutes)
  return sql`
    select
      operator, trip_id, device_id, vehicle_type, start, local_date, local_hour,
      arrayMap(point -> point.3, way) as lon,
      arrayMap(point -> point.4, way) as lat,
      arrayMap(point -> toUInt32(greatest(0, intDiv(point.1, 1000))), way) as seconds
    from (
      select
        trip.operator as operator,
        toString(trip.trip_id) as trip_id,
        toString(trip.device_id) as device_id,
        trip.vehicle_type as vehicle_type,
        toString(toUnixTimestamp64Milli(trip.start_time)) as start,
        toString(trip.local_date) as local_date,
        trip.local_hour as local_hour,
        arraySort(
          groupArray((
            dateDiff('millisecond', trip.start_time, point.time),
            toString(point.telemetry_id),
            point.lon,
            point.lat
          ))
        ) as way
      from (${currentTripsSql(runs)}) as trip
      inner join (
        select operator, trip_id, time, telemetry_id, lon, lat
        from ${latest('telemetry')}
        where
          region_id = ${bind('String', runs.regionId)}
          and not isNaN(lon + lat)
          and time between ${toDateTime(from)} - toIntervalMinute(${margin}) and ${toDateTime(until)} + toIntervalMinute(${margin})
          and (operator, device_id) in (select operator, device_id from (${currentTripsSql(runs)}))
          and (operator, trip_id) in (
            select operator, trip_id
            from (${dirtyTripsSql(runs.regionId, runs.runIds)})
            where cityHash64(trip_id) % ${bind('UInt32', runs.parts)} = ${bind('UInt32', runs.part)}
          )
      ) as point
        on point.operator = trip.operator and point.trip_id = trip.trip_id
      where point.time between trip.start_time - toIntervalMinute(${margin}) and ifNull(
        trip.end_time,
        trip.start_time + interval 1 day
      ) + toIntervalMinute(${margin})
      group by
        trip.operator,
        trip.trip_id,
        trip.device_id,
        trip.vehicle_type,
        trip.start_time,
        trip.local_date,
        trip.local_hour
      having count() > 1
    )`
}

import { qualityFlags, type QualityFlag } from '#contract/mobility.ts'
import type { EventType } from '#contract/vehicle-states.ts'
import { regionReachKm } from '#server/regions/region-reach.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, facts, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { impossibleMeters, impossibleMetersPerSecond } from '../../trip-limits.ts'
import { tripColumns } from '../../trip-columns.ts'
import { dirtyTripsSql, localDaysCondition } from '../fleet-derivation.ts'

/** The input of a derivation of trips. */
export interface TripStep {
  regionId: string
  /** The runs with trips to derive. */
  runIds: readonly string[]
  /** Version of the derived rows, higher than that of any earlier derivation of this region. */
  version: bigint
  timezone: string
  lon: number
  lat: number
  /** The first and last time of the dirty trips' records, ms. */
  firstEvent: string
  lastEvent: string
  /** Time range of the dirty trips and their previous versions, ms. */
  from: string
  until: string
}

const tripStartEvents: readonly EventType[] = ['trip_start', 'trip_enter_jurisdiction']
const tripEndEvents: readonly EventType[] = ['trip_end', 'trip_cancel', 'trip_leave_jurisdiction']

const spanCondition = ({ firstEvent, lastEvent }: TripStep): Sql =>
  sql`event_time between ${toDateTime(firstEvent)} and ${toDateTime(lastEvent)}`

/**
 * Builds SQL for each dirty trip as its events report it: its first start (time, device, place) and its last
 * end (time, place, whether it was canceled). Tuples make all values be of the same event.
 */
const tripsFromEventsSql = (step: TripStep): Sql => sql`
  select
    operator, trip_id,
    countIf(starting) as has_start,
    countIf(ending) as has_end,
    argMinIf(
      (event_time, device_id, lon, lat),
      (event_time, turn, UUIDToNum(event_id), UUIDToNum(device_id)),
      starting
    ) as first,
    argMaxIf(
      (event_time, lon, lat, has(event_types, 'trip_cancel') and not has(event_types, 'trip_end')),
      (event_time, turn, UUIDToNum(event_id), UUIDToNum(device_id)),
      ending
    ) as last
  from (
    select
      operator, device_id, event_time, event_id, turn, event_types, lon, lat,
      arrayJoin(arrayDistinct(trip_ids)) as trip_id,
      hasAny(event_types, ${bind('Array(String)', tripStartEvents)}) as starting,
      hasAny(event_types, ${bind('Array(String)', tripEndEvents)}) as ending
    from ${latest('vehicle_events')}
    where
      region_id = ${bind('String', step.regionId)}
      and superseded = 0
      and ${spanCondition(step)}
      and (operator, device_id, event_time) in (
        select operator, device_id, event_time
        from ${facts('trip_events')}
        where
          region_id = ${bind('String', step.regionId)}
          and ${spanCondition(step)}
          and (operator, trip_id) in (${dirtyTripsSql(step.regionId, step.runIds)})
      )
  )
  where (operator, trip_id) in (${dirtyTripsSql(step.regionId, step.runIds)})
  group by operator, trip_id`

/** Builds SQL for each dirty trip as its operator reports it. */
const tripsFromReportsSql = (step: TripStep): Sql => sql`
  select
    operator, trip_id, device_id, start_time, end_time, start_lon, start_lat, end_lon, end_lat,
    distance_m, duration_s
  from ${latest('trip_reports')}
  where
    region_id = ${bind('String', step.regionId)}
    and (operator, trip_id) in (${dirtyTripsSql(step.regionId, step.runIds)})`

/**
 * Builds SQL for trips from reports and events. A report takes precedence. Events without a report make a
 * trip if it started and was not canceled; its distance is unknown.
 */
const reconciledTripsSql = (step: TripStep): Sql => sql`
  select
    if(report.operator != '', report.operator, observed.operator) as operator,
    if(report.operator != '', report.trip_id, observed.trip_id) as trip_id,
    report.operator != '' as is_reported,
    observed.has_start > 0 as is_started,
    observed.has_end > 0 as is_ended,
    if(is_reported, report.device_id, observed.first.2) as device_id,
    if(is_reported, report.start_time, observed.first.1) as start_time,
    if(
      is_reported,
      toNullable(report.end_time),
      if(is_ended, toNullable(observed.last.1), null)
    ) as end_time,
    if(is_reported, report.start_lon, observed.first.3) as start_lon,
    if(is_reported, report.start_lat, observed.first.4) as start_lat,
    if(is_reported, report.end_lon, if(is_ended, observed.last.2, nan)) as end_lon,
    if(is_reported, report.end_lat, if(is_ended, observed.last.3, nan)) as end_lat,
    if(is_reported, report.distance_m, nan) as distance_m,
    multiIf(
      is_reported and isFinite(report.duration_s),
      report.duration_s,
      end_time is null,
      nan,
      dateDiff('millisecond', start_time, assumeNotNull(end_time)) / 1000
    ) as duration_s,
    multiIf(is_reported and (is_started or is_ended), 'both', is_reported, 'report', 'events') as source
  from (${tripsFromEventsSql(step)}) as observed
  full outer join (${tripsFromReportsSql(step)}) as report
    on report.operator = observed.operator and report.trip_id = observed.trip_id
  where is_reported or (is_started and not (is_ended and observed.last.4))`

const flagSql = (name: QualityFlag, condition: Sql): Sql =>
  sql`bitShiftLeft(toUInt16(${condition}), ${bind('UInt8', qualityFlags[name].bit)})`

/** Builds SQL for the great-circle distance in km (haversine formula with the Earth's mean diameter). */
const kilometersToCenterSql = (lon: Sql, lat: Sql, { lon: centerLon, lat: centerLat }: TripStep): Sql => {
  const x = bind('Float64', centerLon)
  const y = bind('Float64', centerLat)
  return sql`
    12742.0176 * asin(
      least(
        1,
        sqrt(
          pow(sin(radians(${y} - ${lat}) / 2), 2)
          + cos(radians(${lat})) * cos(radians(${y})) * pow(sin(radians(${x} - ${lon}) / 2), 2)
        )
      )
    )`
}

/** Builds SQL for a trip's quality flags, by the rules of `computeQuality` (trip-quality.ts) for files. */
const qualitySql = (step: TripStep): Sql => {
  const outsideRegionCondition = (lon: Sql, lat: Sql): Sql =>
    sql`
      not isNaN(${lon} + ${lat})
      and not (${kilometersToCenterSql(lon, lat, step)} <= ${bind('Float64', regionReachKm)})`
  const flags: Sql[] = [
    flagSql('no_end_time', sql`end_time is null`),
    flagSql('ends_before_start', sql`ifNull(end_time < start_time, 0)`),
    flagSql('over_24_hours', sql`ifNull(end_time > start_time + interval 24 hour, 0)`),
    flagSql('zero_distance', sql`distance_m = 0`),
    flagSql('impossible_distance', sql`distance_m < 0 or distance_m > ${bind('Float64', impossibleMeters)}`),
    flagSql('zero_duration', sql`duration_s = 0`),
    flagSql(
      'impossible_speed',
      sql`duration_s > 0 and distance_m / duration_s > ${bind('Float64', impossibleMetersPerSecond)}`,
    ),
    flagSql('no_origin', sql`isNaN(start_lon + start_lat)`),
    flagSql('origin_outside_region', outsideRegionCondition(sql`start_lon`, sql`start_lat`)),
    flagSql('no_destination', sql`isNaN(end_lon + end_lat)`),
    flagSql('destination_outside_region', outsideRegionCondition(sql`end_lon`, sql`end_lat`)),
  ]
  return sql`arraySum([${joinSql(flags, ', ')}])`
}

/** Builds SQL for the dirty trips as rows of `trips`. Local day and hour are those of the start. */
export const tripRows = (step: TripStep): Sql => {
  const zone = bind('String', step.timezone)
  return sql`
    select
      ${bind('String', step.regionId)}, trip.trip_id, trip.operator,
      if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type),
      toString(trip.device_id),
      start_time, end_time,
      toDate(toTimeZone(start_time, ${zone})),
      toHour(toTimeZone(start_time, ${zone})),
      start_lon, start_lat, end_lon, end_lat, distance_m, duration_s, ${qualitySql(step)},
      toUUID('00000000-0000-0000-0000-000000000000'),
      0, 0, source, 0, ${bind('UInt64', step.version)}
    from (${reconciledTripsSql(step)}) as trip
    left join (
      select operator, device_id, vehicle_type
      from ${latest('vehicles')}
      where region_id = ${bind('String', step.regionId)}
    ) as vehicle
      on vehicle.operator = trip.operator and vehicle.device_id = trip.device_id`
}

/**
 * Builds SQL for rows that delete stored versions of dirty trips which this derivation did not write. A
 * file's trip is deleted only if a feed reports the same trip.
 */
export const tripDeletionRows = (step: TripStep): Sql => {
  const version = bind('UInt64', step.version)
  const changedColumns: Readonly<Record<string, Sql>> = { is_deleted: sql`1`, version: sql`${version}` }
  const isWithinDays = localDaysCondition(step)
  return sql`
    select ${joinSql(
      tripColumns.map((name) => changedColumns[name] ?? identifier(name)),
      ', ',
    )}
    from ${latest('trips')}
    where
      ${isWithinDays}
      and version < ${version}
      and (operator, trip_id) in (${dirtyTripsSql(step.regionId, step.runIds)})
      and (
        source != 'file'
        or (operator, trip_id) in (
          select operator, trip_id
          from ${latest('trips')}
          where ${isWithinDays} and version = ${version}
        )
      )`
}

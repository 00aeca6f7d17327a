import { agreementLimits } from '#contract/health-figures.ts'
import { dayMs } from '#contract/period.ts'
import type { EventType } from '#contract/vehicle-states.ts'
import { type Span, tripsWithinCondition, withinCondition } from '../span.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

export interface TripEventsRow {
  operator: string
  ends_without_start: string
  compared: string
  time_differs: string
  place_differs: string
  differs: string
}

const startTypes: readonly EventType[] = ['trip_start', 'trip_enter_jurisdiction']
const endTypes: readonly EventType[] = ['trip_end', 'trip_cancel', 'trip_leave_jurisdiction']

/**
 * Selects trips according to the events from two days before the span to one day after it: the first start
 * and the last end with their positions, and the last end within the span.
 */
const tripEventsSql = (span: Span): Sql => sql`
  with
    -- one row for each event and trip
    events_of_trips as (
      select
        operator,
        device_id,
        event_time,
        lon,
        lat,
        hasAny(event_types, ${bind('Array(String)', startTypes)}) as starting,
        hasAny(event_types, ${bind('Array(String)', endTypes)}) as ending,
        arrayJoin(arrayDistinct(trip_ids)) as trip_id
      from ${latest('vehicle_events')}
      where ${withinCondition(span, sql`event_time`, 2 * dayMs, dayMs)}
        and superseded = 0
        and notEmpty(trip_ids)
    )
  select
    operator,
    trip_id,
    any(device_id) as device,
    countIf(starting) as has_start,
    countIf(ending) as has_end,
    minIf(event_time, starting) as first_start,
    maxIf(event_time, ending) as last_end,
    argMinIf(lon, event_time, starting) as start_lon,
    argMinIf(lat, event_time, starting) as start_lat,
    argMaxIf(lon, event_time, ending) as end_lon,
    argMaxIf(lat, event_time, ending) as end_lat,
    maxIf(event_time, ending and event_time < ${toDateTime(span.until)}) as end_within
  from events_of_trips
  where starting or ending
  group by operator, trip_id`

/** Selects trips that ended in the span without a start event from two days before to one day after it. */
export const endsWithoutStartSql = (span: Span): Sql => sql`
  select operator, trip_id, device, end_within as time
  from (${tripEventsSql(span)})
  where has_start = 0 and end_within >= ${toDateTime(span.from)}`

const timeDiffersCondition = (a: Sql, b: Sql): Sql =>
  sql`abs(dateDiff('millisecond', ${a}, ${b})) > ${bind('UInt32', agreementLimits.seconds * 1000)}`
const farApartCondition = (end: 'start' | 'end'): Sql => {
  const [lon, lat] = end === 'start' ? [sql`start_lon`, sql`start_lat`] : [sql`end_lon`, sql`end_lat`]
  return sql`ifNotFinite(greatCircleDistance(trip.${lon}, trip.${lat}, events.${lon}, events.${lat}), 0) > ${bind('UInt32', agreementLimits.meters)}`
}

/** Selects trips according to events, joined with the span's reports of trips, and whether they differ. */
const comparedTripsSql = (span: Span): Sql => sql`
  with
    events as (${tripEventsSql(span)}),
    reports as (
      select
        1 as is_trip, operator, trip_id, vehicle_id, start_time, end_time, start_lon, start_lat, end_lon, end_lat
      from ${latest('trips')}
      where ${tripsWithinCondition(span)} and source = 'both'
    )
  select
    events.operator as operator,
    events.trip_id as trip_id,
    has_start,
    end_within,
    is_trip,
    vehicle_id,
    start_time as time,
    is_trip and (
      (has_start and ${timeDiffersCondition(sql`start_time`, sql`first_start`)})
      or (
        has_end
        and end_time is not null
        and ${timeDiffersCondition(sql`assumeNotNull(end_time)`, sql`last_end`)}
      )
    ) as time_differs,
    is_trip and (
      (has_start and ${farApartCondition('start')})
      or (has_end and ${farApartCondition('end')})
    ) as place_differs
  from events
  left join reports as trip on events.operator = trip.operator and events.trip_id = trip.trip_id`

/** Selects trips that start in the span and have a report that differs from their events. */
export const differingTripsSql = (span: Span): Sql => sql`
  select operator, trip_id, vehicle_id, time, time_differs, place_differs
  from (${comparedTripsSql(span)})
  where time_differs or place_differs`

/** Builds SQL that counts ends without start and differing trips by operator, in one pass over the events. */
export const tripEventCountsSql = (span: Span): Sql => sql`
  with
    -- renamed, because the counts have the names of the columns
    differences as (
      select operator, has_start, end_within, is_trip, time_differs as is_late, place_differs as is_away
      from (${comparedTripsSql(span)})
    )
  select
    operator,
    toString(countIf(has_start = 0 and end_within >= ${toDateTime(span.from)})) as ends_without_start,
    toString(sum(is_trip)) as compared,
    toString(countIf(is_late)) as time_differs,
    toString(countIf(is_away)) as place_differs,
    toString(countIf(is_late or is_away)) as differs
  from differences
  group by operator`

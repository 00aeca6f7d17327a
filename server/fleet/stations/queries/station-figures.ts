import { dayMs } from '#contract/period.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { maxPollGapMs } from '../station-history.ts'
import type { StationQuery } from '../station-query.ts'
import {
  getBounds,
  requestedCondition,
  stateSegmentsSql,
  windowPartsSql,
  windowsSql,
} from './station-segments.ts'

/** The key of a station. */
const stationColumns = sql`operator, feed_id, station_id`

/** Builds SQL for time in each state by station, ms. `full` is -1 if the feed never reports available docks. */
export const stationSumsSql = (query: StationQuery): Sql => sql`
  select
    ${stationColumns},
    toString(sum(part_until - part_from)) as known,
    toString(sumIf(part_until - part_from, is_installed)) as installed,
    toString(sumIf(part_until - part_from, is_renting)) as renting,
    toString(sumIf(part_until - part_from, is_returning)) as returning,
    toString(sumIf(part_until - part_from, is_empty)) as empty,
    toString(
      if(countIf(docks_available is not null) = 0, -1, sumIf(part_until - part_from, is_full))
    ) as full,
    toString(sumIf(part_until - part_from, is_empty or is_full)) as either,
    sumIf(
      assumeNotNull(vehicles_disabled) * (part_until - part_from),
      vehicles_disabled is not null
    ) as disabled_sum,
    toString(sumIf(part_until - part_from, vehicles_disabled is not null)) as disabled_known
  from (${windowPartsSql(query)})
  group by ${stationColumns}
  order by ${stationColumns}`

/** Builds SQL for time in states by day of the report, ms, over all stations. */
export const stationDaysSql = (query: StationQuery): Sql => sql`
  select toString(day) as day,
    toString(sum(part_until - part_from)) as known,
    toString(sumIf(part_until - part_from, is_empty)) as empty,
    toString(sumIf(part_until - part_from, is_full)) as full
  from (${windowPartsSql(query)})
  group by day
  order by toInt64(day)`

/**
 * Builds SQL for uninterrupted times (runs) in which a station is empty, full, or either. `runs`: the number
 * of runs of either that are longer than the tolerance; `beyond`: by how much in total, ms.
 */
export const stationRunsSql = (query: StationQuery, toleranceMs: number): Sql => sql`
  select
    ${stationColumns},
    toString(maxIf(run_ms, kind = 'empty')) as longest_empty,
    toString(maxIf(run_ms, kind = 'full')) as longest_full,
    toString(
      sumIf(
        run_ms - ${bind('Int64', toleranceMs)},
        kind = 'either' and run_ms > ${bind('Int64', toleranceMs)}
      )
    ) as beyond,
    toString(countIf(kind = 'either' and run_ms > ${bind('Int64', toleranceMs)})) as runs
  from (
    select ${stationColumns}, kind, run, toInt64(sum(part_until - part_from)) as run_ms
    from (
      select
        ${stationColumns}, kind, part_from, part_until,
        sum(is_first) over (
          partition by ${stationColumns}, kind
          order by part_from
          rows between unbounded preceding and current row
        ) as run
      from (
        select
          ${stationColumns}, kind, part_from, part_until,
          part_from != lagInFrame(part_until, 1, toInt64(0)) over (
            partition by ${stationColumns}, kind
            order by part_from
            rows between 1 preceding and current row
          ) as is_first
        from (
          select
            ${stationColumns}, part_from, part_until,
            arrayJoin(
              arrayFilter(x -> x != '', [if(is_empty, 'empty', ''), if(is_full, 'full', ''), 'either'])
            ) as kind
          from (${windowPartsSql(query)})
          where is_empty or is_full
        )
      )
    )
    group by ${stationColumns}, kind, run
  )
  group by ${stationColumns}`

/** Builds SQL for vehicles that left and arrived between two polls, as far as the number of vehicles shows. */
export const stationChangesSql = (query: StationQuery): Sql => sql`
  select
    ${stationColumns},
    toString(sumIf(before - vehicles, before > vehicles)) as starts,
    toString(sumIf(vehicles - before, before < vehicles)) as ends
  from (
    select
      *,
      toInt64(vehicles_available) + toInt64(ifNull(vehicles_disabled, 0)) as vehicles,
      lagInFrame(vehicles, 1, toInt64(0)) over previous as before,
      is_listed
      and lagInFrame(is_listed, 1, toUInt8(0)) over previous
      and lagInFrame(state_until, 1, toInt64(0)) over previous = state_from as is_change,
      intDiv(state_from, ${bind('Int64', dayMs)}) as utc_day
    from (${stateSegmentsSql(query)}) window previous as (
      partition by ${stationColumns}
      order by state_from
      rows between 1 preceding and current row
    )
  ) as change
  join (${windowsSql(query)}) as window on window.utc_day = change.utc_day
  where is_change and state_from >= window.window_from and state_from < window.window_until
  group by ${stationColumns}`

/** Builds SQL for the time (ms) of each station's last report before the end of the windows. */
export const stationReportsSql = (query: StationQuery): Sql => {
  const { from, until } = getBounds(query)
  return sql`
    select ${stationColumns}, toString(max(${toMilliseconds(sql`assumeNotNull(reported_time)`)})) as reported
    from ${latest('station_states')}
    where
      ${requestedCondition(query)}
      and from_time > ${toDateTime(from - dayMs - maxPollGapMs)}
      and from_time < ${toDateTime(until)}
      and reported_time is not null
    group by ${stationColumns}`
}

/** Starts (`is_end` 0) and ends (`is_end` 1) of trips within the windows, by place. */
function tripPlacesSql(query: StationQuery): Sql {
  const { from, until } = getBounds(query)
  const date = (ms: number): Sql => sql`toDate(${bind('Int64', Math.floor(ms / 1000))})`
  return sql`
    select operator, is_end, lon, lat, count() as trips
    from (
      select
        operator,
        arrayJoin([
          (toUInt8(0), ${toMilliseconds(sql`start_time`)}, start_lon, start_lat),
          (toUInt8(1), ifNull(${toMilliseconds(sql`end_time`)}, 0), end_lon, end_lat)
        ]) as place,
        place.1 as is_end,
        place.2 as at,
        place.3 as lon,
        place.4 as lat,
        intDiv(at, ${bind('Int64', dayMs)}) as utc_day
      from ${latest('trips')}
      where
        ${requestedCondition(query)}
        and local_date >= ${date(from - 2 * dayMs)}
        and local_date <= ${date(until + dayMs)}
    ) as trip
    join (${windowsSql(query)}) as window on window.utc_day = trip.utc_day
    where at >= window.window_from and at < window.window_until
    group by operator, is_end, lon, lat`
}

export const operatorsWithTripsSql = (query: StationQuery): Sql => sql`
  select distinct operator from (${tripPlacesSql(query)}) order by operator`

/**
 * Size of grid cells for finding stations near trips, degrees. A cell is larger than the radius up to a
 * latitude of 77 degrees.
 */
const cellLon = 0.002
const cellLat = 0.001

/**
 * Builds SQL for trips that start and end at each station: a trip counts at the operator's nearest station
 * within the radius (meters).
 */
export const stationTripsSql = (query: StationQuery, radius: number): Sql => sql`
  select
    nearest.1 as operator,
    nearest.2 as feed_id,
    nearest.3 as station_id,
    toString(sumIf(trips, not is_end)) as starts,
    toString(sumIf(trips, is_end)) as ends
  from (
    select
      is_end,
      any(place.trips) as trips,
      argMin(
        (station.operator, station.feed_id, station.station_id),
        (geoDistance(place.lon, place.lat, station.lon, station.lat), station.station_id)
      ) as nearest
    from (
      select
        *,
        toInt64(floor(lon / ${bind('Float64', cellLon)})) as x,
        toInt64(floor(lat / ${bind('Float64', cellLat)})) as y
      from (${tripPlacesSql(query)})
      where isFinite(lon) and isFinite(lat)
    ) as place
    join (
      select
        operator, feed_id, station_id, lon, lat,
        toInt64(floor(lon / ${bind('Float64', cellLon)})) + arrayJoin([-1, 0, 1]) as x,
        toInt64(floor(lat / ${bind('Float64', cellLat)})) + arrayJoin([1, 0, -1]) as y
      from (${stationDetailsSql(query)})
    ) as station
      on station.operator = place.operator and station.x = place.x and station.y = place.y
    where geoDistance(place.lon, place.lat, station.lon, station.lat) <= ${bind('Float64', radius)}
    group by place.operator, is_end, place.lon, place.lat
  )
  group by nearest
  order by nearest`

/**
 * Builds SQL for names, places and capacities at the end of the windows; the first known ones for stations
 * that were added later.
 */
export const stationDetailsSql = (query: StationQuery): Sql => {
  const until = toDateTime(getBounds(query).until)
  return sql`
    select ${stationColumns}, name, lon, lat, capacity
    from ${latest('station_details')}
    where ${requestedCondition(query)}
    order by
      ${stationColumns},
      from_time < ${until} desc,
      if(from_time < ${until}, -1, 1) * ${toMilliseconds(sql`from_time`)}
    limit 1 by ${stationColumns}`
}

/**
 * Builds SQL for feeds with stations that have docks: first and last poll (ms), and number of stations that
 * they have described.
 */
export const stationSystemsSql = (regionId: string): Sql => {
  const region = sql`region_id = ${bind('String', regionId)}`
  return sql`
    select
      span.operator as operator,
      span.feed_id as feed_id,
      toString(span.first) as first,
      toString(span.last) as last,
      toString(ifNull(detail.stations, 0)) as stations
    from (
      select
        operator, feed_id,
        min(${toMilliseconds(sql`from_time`)}) as first,
        max(${toMilliseconds(sql`until_time`)}) as last
      from ${latest('station_spans')}
      where ${region}
      group by operator, feed_id
    ) as span
    left join (
      select operator, feed_id, uniqExactIf(station_id, not is_virtual) as stations
      from ${latest('station_details')}
      where ${region}
      group by operator, feed_id
    ) as detail
      on detail.operator = span.operator and detail.feed_id = span.feed_id
    where detail.feed_id = '' or detail.stations > 0
    order by operator, feed_id`
}

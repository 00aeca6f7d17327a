import { toQualityBits, outlierFlags } from '#contract/mobility.ts'
import { type Filters, tripFilterCondition } from '#server/fleet/trip-filter-sql.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

export interface TripCountRow {
  hour: number
  trips: string
}

/** Builds SQL for the number of trips by local hour of their start, with or without a route. */
export const tripsByHourSql = (filters: Filters): Sql =>
  sql`
    select local_hour as hour, count() as trips
    from ${latest('trips')}
    where ${tripFilterCondition(filters)}
    group by hour
    order by hour`

export interface RouteCountRow {
  hour: number
  route_count: string
  /** The number of routes that are at least partly on streets. */
  matched: string
  meters: number
}

/** Builds SQL for the number and length of routes by local hour of the trip's start. */
export const routesByHourSql = (filters: Filters): Sql => sql`
  select
    local_hour as hour,
    count() as route_count,
    countIf(notEmpty(segments)) as matched,
    sum(length_m) as meters
  from ${latest('trip_routes')}
  where ${tripFilterCondition(filters)}
  group by hour
  order by hour`

export interface MeasuredRow {
  distances: string
  distance_mean: number | null
  distance_median: number | null
  durations: string
  duration_mean: number | null
  duration_median: number | null
}

/** Builds SQL for distances (m) and durations (s) without outliers. Means and medians are null without trips. */
export const tripMeasuresSql = (filters: Filters): Sql => {
  const outliers = bind('UInt16', toQualityBits(outlierFlags))
  return sql`
    select
      countIf(has_distance) as distances,
      avgOrNullIf(distance_m, has_distance) as distance_mean,
      if(distances = 0, null, quantileExactIf(distance_m, has_distance)) as distance_median,
      countIf(has_duration) as durations,
      avgOrNullIf(duration_s, has_duration) as duration_mean,
      if(durations = 0, null, quantileExactIf(duration_s, has_duration)) as duration_median
    from (
      select
        distance_m, duration_s,
        bitAnd(quality, ${outliers}) = 0 and isFinite(distance_m) as has_distance,
        bitAnd(quality, ${outliers}) = 0 and isFinite(duration_s) as has_duration
      from ${latest('trips')}
      where ${tripFilterCondition(filters)}
    )`
}

export interface RouteExtentRow {
  route_count: string
  first_day: string
  last_day: string
  operators: string[]
  vehicle_types: string[]
}

/** Builds SQL for the first and last day, operators and vehicle types of a region's routes. */
export const routeExtentSql = (regionId: string): Sql => sql`
  select
    count() as route_count,
    min(local_date) as first_day,
    max(local_date) as last_day,
    arraySort(groupUniqArray(operator)) as operators,
    arraySort(groupUniqArray(vehicle_type)) as vehicle_types
  from ${latest('trip_routes')}
  where region_id = ${bind('String', regionId)}`

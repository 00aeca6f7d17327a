import { localDay, minuteMs } from '#contract/period.ts'
import { hourShift } from '#server/fleet/cubes/cube-clock.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { HourDays } from './queries/hour-parts.ts'
import { hourSumsSql } from './queries/hours.ts'

/** The places and times of metrics. Times are ms since 1970, half-open. */
export interface MetricPlaces {
  type: 'area' | 'zone' | 'space' | 'object'
  /** '' for all places. */
  id: string
  /** Only places in these zones, such as those of an area or box. Null for all. */
  zones: readonly string[] | null
  from: number
  until: number
}

interface MetricsContext {
  regionId: string
  scope: Scope
  timezone: string
  signal: AbortSignal
}

/** Maximum number of rows in a response. */
export const maxMetricRows = 200_000

/** Builds the condition for the requested places, starting with `and`; empty for all. */
function placeCondition({ type, id, zones }: MetricPlaces): Sql {
  const conditions = [
    ...(zones ? [sql`zone_id in ${bind('Array(String)', zones)}`] : []),
    ...(id && type === 'zone' ? [sql`zone_id = ${bind('String', id)}`] : []),
    ...(id && type === 'space' ? [sql`space_id = ${bind('String', id)}`] : []),
    ...(id && type === 'object' ? [sql`object_id = ${bind('String', id)}`] : []),
  ]
  return conditions.length ? sql`and ${joinSql(conditions, ' and ')}` : sql``
}

/** Columns of a session in the order of the standard; null where a session is one-sided. */
export const sessionFields = [
  'session_type',
  'event_session_id',
  'event_id_start',
  'event_id_end',
  'event_location_start_latitude',
  'event_location_start_longitude',
  'event_location_end_latitude',
  'event_location_end_longitude',
  'event_time_start',
  'event_time_end',
  'curb_zone_id',
  'curb_area_ids',
  'curb_space_id',
  'curb_object_id',
  'vehicle_length',
  'vehicle_type',
] as const

/** Lists sessions that begin in the requested time; sessions without a start, if they end in it. */
export const listCdsSessions = (
  facts: Facts,
  { scope, regionId, signal }: MetricsContext,
  places: MetricPlaces,
): Promise<Record<(typeof sessionFields)[number], string | number | null>[]> =>
  facts.rows(
    scope,
    sql`
    select
      type as session_type,
      nullIf(event_session_id, '') as event_session_id,
      nullIf(start_event, '') as event_id_start,
      nullIf(end_event, '') as event_id_end,
      if(isNaN(start_lat), null, start_lat) as event_location_start_latitude,
      if(isNaN(start_lon), null, start_lon) as event_location_start_longitude,
      if(isNaN(end_lat), null, end_lat) as event_location_end_latitude,
      if(isNaN(end_lon), null, end_lon) as event_location_end_longitude,
      toString(${toMilliseconds(sql`start_time`)}) as event_time_start,
      toString(${toMilliseconds(sql`end_time`)}) as event_time_end,
      nullIf(zone_id, '') as curb_zone_id,
      nullIf(arrayStringConcat(area_ids, ','), '') as curb_area_ids,
      nullIf(space_id, '') as curb_space_id,
      nullIf(object_id, '') as curb_object_id,
      vehicle_length,
      nullIf(toString(vehicle_type), '') as vehicle_type
    from ${latest('curb_sessions')}
    where region_id = ${bind('String', regionId)}
      and from_time >= ${toDateTime(places.from)}
      and from_time < ${toDateTime(places.until)}
      ${placeCondition(places)}
    order by from_time, session_id
    limit ${bind('UInt32', maxMetricRows + 1)}`,
    { signal },
  )

interface HourSums {
  place: string
  local_day: string
  local_hour: number
  sessions: string
  dwell_count: string
  dwell_ms: string
  occupied_ms: string
  events: string
  online_ms: string
  watch_ms: string
  space_ms: string
}

/** Reads the sums by place and local hour, from the most reliable source at each zone. */
export function readHourSums(
  facts: Facts,
  { scope, regionId, timezone, signal }: MetricsContext,
  places: MetricPlaces,
  areas: ReadonlyMap<string, readonly string[]>,
): Promise<HourSums[]> {
  const place = places.type === 'area' ? areaOfZoneSql(areas) : sql`toString(zone_id)`
  return facts.rows<HourSums>(
    scope,
    sql`
    with
      hours as (
        select *, ${place} as place
        from ${latest('curb_hours')}
        where region_id = ${bind('String', regionId)}
          and is_measured = 1
          and hour >= ${bind('DateTime', Math.floor(places.from / 1000))}
          and hour < ${bind('DateTime', Math.ceil(places.until / 1000))}
          and day >= ${bind('Date', localDay(new Date(places.from), timezone))}
          and day <= ${bind('Date', localDay(new Date(places.until - minuteMs), timezone))}
          ${placeCondition(places)}
      )
    select
      place,
      toString(day) as local_day,
      hour_of_day as local_hour,
      toString(sum(sessions)) as sessions,
      toString(sum(length(dwells))) as dwell_count,
      toString(sum(dwell_ms)) as dwell_ms,
      toString(sum(occupied_ms)) as occupied_ms,
      toString(sum(events)) as events,
      toString(sum(online_ms)) as online_ms,
      toString(sum(watch_ms)) as watch_ms,
      toString(sum(space_ms)) as space_ms
    from hours
    where place != ''
    group by place, day, hour_of_day
    order by place, day, hour_of_day
    limit ${bind('UInt32', maxMetricRows + 1)}`,
    { signal },
  )
}

/** Builds SQL for the id of an area of a zone. The result has one row per area. */
function areaOfZoneSql(areas: ReadonlyMap<string, readonly string[]>): Sql {
  const pairs = [...areas].flatMap(([area, zones]) => zones.map((zone) => ({ area, zone })))
  const areaIds = bind(
    'Array(String)',
    pairs.map(({ area }) => area),
  )
  const zoneIds = bind(
    'Array(String)',
    pairs.map(({ zone }) => zone),
  )
  return sql`arrayJoin(arrayFilter((area, zone) -> zone = zone_id, ${areaIds}, ${zoneIds}))`
}

/** Derives sums by space or object and hour on request. Spaces have capacity 1, objects none. */
export async function readPlaceSums(
  { state, facts }: { state: State; facts: Facts },
  { scope, regionId, timezone, signal }: MetricsContext,
  { type, id, zones, from, until }: MetricPlaces & { type: 'space' | 'object' },
  now: number,
): Promise<HourSums[]> {
  const places = await listPlaces(state.as(scope), regionId, type)
  const zoneIds = zones && new Set(zones)
  const ids = zoneIds && places.flatMap((place) => (zoneIds.has(place.zoneId) ? [place.id] : []))
  const spaces = type === 'space' ? new Set(places.map((place) => place.id)) : []
  const hourDays: HourDays = {
    regionId,
    timezone,
    shift: hourShift(timezone),
    first: localDay(new Date(from), timezone),
    last: localDay(new Date(until - minuteMs), timezone),
    from,
    until: Math.max(from, Math.min(until, now)),
    now,
    capacities: [...spaces].map((space) => ({ zoneId: space, from: 0, capacity: 1 })),
    spaces: new Map(),
    placeKind: type,
  }
  return facts.rows<HourSums>(
    scope,
    sql`
    with
      hours as (
        select *,
          toString(zone) as place,
          toUInt8(toHour(local_hour)) as hour_number,
          if(
            covers_hour and watch_sum > 0,
            toInt64(spaces) * least(3600000, ${bind('Int64', now)} - hour_ms),
            0
          ) as space_part
        from (${hourSumsSql(hourDays)})
        where measures_zone = 1
          and zone != ''
          ${id ? sql`and zone = ${bind('String', id)}` : sql``}
          ${ids ? sql`and zone in ${bind('Array(String)', ids)}` : sql``}
      )
    select
      place,
      toString(day) as local_day,
      hour_number as local_hour,
      toString(sum(session_sum)) as sessions,
      toString(sum(length(dwell_list))) as dwell_count,
      toString(sum(dwell_sum)) as dwell_ms,
      toString(sum(if(covers_hour, occupied_sum, 0))) as occupied_ms,
      toString(sum(event_sum)) as events,
      toString(sum(online_sum)) as online_ms,
      toString(sum(watch_sum)) as watch_ms,
      toString(sum(space_part)) as space_ms
    from hours
    group by place, day, hour_number
    order by place, day, hour_number
    limit ${bind('UInt32', maxMetricRows + 1)}`,
    { signal },
  )
}

async function listPlaces(
  store: Store,
  regionId: string,
  kind: 'space' | 'object',
): Promise<{ id: string; zoneId: string }[]> {
  const rows = await store
    .selectFrom('curb_place')
    .select(['place_id', 'curb_zone_id'])
    .where('region_id', '=', regionId)
    .where('kind', '=', kind)
    .execute()
  return rows.map((row) => ({ id: row.place_id, zoneId: row.curb_zone_id ?? '' }))
}

export const metricTypes = [
  'total_sessions',
  'total_events',
  'turnover',
  'average_dwell_time',
  'occupancy_percent',
] as const
export type MetricType = (typeof metricTypes)[number]

/** The value of a metric in an hour in which the sources were offline (decision 042). */
const unknownValue = -1
/** Rounds to four decimals. */
const roundMetric = (value: number): number => Math.round(value * 10_000) / 10_000

/**
 * Returns the value of a metric in an hour. Null if there is none, -1 if the sources were offline for most of
 * the hour. Dwell times are in seconds, occupancy is a percentage of the capacity (decision 042).
 */
export function computeMetricValue(type: MetricType, sums: HourSums): number | null {
  const online = Number(sums.online_ms)
  const watched = Number(sums.watch_ms)
  if (watched > 0 && online * 2 < watched) return unknownValue
  const spaceMs = Number(sums.space_ms)
  switch (type) {
    case 'total_sessions':
    case 'turnover':
      return Number(sums.sessions)
    case 'total_events':
      return Number(sums.events)
    case 'average_dwell_time':
      return Number(sums.dwell_count)
        ? roundMetric(Number(sums.dwell_ms) / 1000 / Number(sums.dwell_count))
        : null
    case 'occupancy_percent':
      return spaceMs ? roundMetric((Number(sums.occupied_ms) / spaceMs) * 100) : null
  }
}

import { hourMs } from '#contract/period.ts'
import {
  bind,
  columnsWith,
  deletionColumns,
  facts,
  identifier,
  itemTuples,
  joinSql,
  latest,
  type ScopedTable,
  type Sql,
  sql,
  versionValue,
} from '#server/stores/sql.ts'
import { type HourDays, hourPartsSql, hourStartSql, joinOpenHours, openNumberSql } from './hour-parts.ts'

/** Columns of all tables of sums. */
const sumColumns = [
  'sessions',
  'dwells',
  'dwell_ms',
  'amount',
  'double_parked',
  'unpermitted',
  'events',
  'problems',
  'problem_kinds',
  'overstays',
  'early_returns',
  'covered_sessions',
  'occupied_ms',
  'space_ms',
  'online_ms',
  'watch_ms',
] as const
const classColumns = ['source_kind', 'is_measured', 'vehicle_type', 'purpose'] as const

export const hourColumns = [
  'region_id',
  'day',
  'hour',
  'hour_of_day',
  'zone_id',
  ...classColumns,
  ...sumColumns,
  'is_deleted',
  'version',
] as const

/** Tables that aggregate `curb_hours`, and their keys besides region and day. */
export const rollups = [
  { table: 'curb_day_hours', keys: ['hour_of_day', ...classColumns] },
  { table: 'curb_zone_days', keys: ['zone_id', ...classColumns] },
] as const
type Rollup = (typeof rollups)[number]

/** Returns the columns of a table of sums, in the order of inserted rows. */
export const rollupColumns = ({ keys }: Rollup): string[] => [
  'region_id',
  'day',
  ...keys,
  ...sumColumns,
  'is_deleted',
  'version',
]

/**
 * Builds SQL for the sums in a range of days by hour, place, source, vehicle type and purpose, with the
 * columns that `hourRows` stores.
 *
 * `measures_zone`: the source is of the most reliable kind at the zone on that day. `covers_hour`: sources of
 * the kind were online for at least half of the watched time, and the zone has open spaces, so that occupancy
 * can be computed.
 */
export const hourSumsSql = (query: HourDays): Sql => sql`
  with
    part_sums as (
      select
        number,
        zone,
        source_kind,
        vehicle_type,
        purpose,
        toUInt32(sum(sessions)) as session_sum,
        arraySort(groupArrayArray(dwells)) as dwell_list,
        toUInt64(sum(dwell)) as dwell_sum,
        toUInt64(sum(occupied)) as occupied_sum,
        toInt64(sum(paid)) as paid_sum,
        toUInt32(sum(double_parks)) as double_sum,
        toUInt32(sum(unpermitted_uses)) as unpermitted_sum,
        toUInt32(sum(event_count)) as event_sum,
        toUInt32(sum(problem_count)) as problem_sum,
        groupArrayArray(kinds) as kind_list,
        toUInt64(sum(online)) as online_sum,
        toUInt64(sum(watched)) as watch_sum,
        toUInt32(sum(overstay_count)) as overstay_sum,
        toUInt32(sum(return_count)) as return_sum,
        ${openNumberSql(query)} as open_number,
        ${hourStartSql(sql`number`, query)} as hour_ms,
        toTimeZone(toDateTime(intDiv(hour_ms, 1000), 'UTC'), ${bind('String', query.timezone)}) as local_hour,
        transform(source_kind, ['sensor', 'camera', 'survey'], [1, 2, 3], 4) as rank
      from (${hourPartsSql(query)})
      group by number, zone, source_kind, vehicle_type, purpose
    ),
    capacity_steps as (
      select
        step.1 as capacity_zone,
        step.2 as since,
        toUInt32(step.3) as spaces
      from (
        select ${itemTuples(query.capacities, [
          ['String', ({ zoneId }) => zoneId],
          ['Int64', ({ from }) => from],
          ['UInt32', ({ capacity }) => capacity],
        ])} as step
      )
    ),
    sums_with_spaces as (
      select
        sums.*,
        ifNull(capacity.spaces, 0) as spaces,
        ${query.open ? sql`toInt64(open_hours.open_ms)` : bind('Int64', hourMs)} as open_part
      from part_sums as sums
      asof left join capacity_steps as capacity
        on sums.zone = capacity.capacity_zone and sums.hour_ms >= capacity.since
      ${joinOpenHours(sql`sums`, query)}
    )
  select *,
    toDate(local_hour) as day,
    toUInt8(rank < 4 and rank = min(rank) over (partition by zone, toDate(local_hour))) as measures_zone,
    sum(watch_sum) over (partition by number, zone, source_kind) as zone_watch,
    spaces > 0
      and open_part > 0
      and zone_watch > 0
      and sum(online_sum) over (partition by number, zone, source_kind) * 2 >= zone_watch as covers_hour
  from sums_with_spaces`

/** Builds SQL for the rows of `curb_hours` in a range of days. */
export const hourRows = (query: HourDays, version: bigint): Sql => {
  const openMs = sql`least(open_part, ${bind('Int64', query.now)} - hour_ms)`
  const columns: Record<(typeof hourColumns)[number], Sql> = {
    region_id: sql`${bind('String', query.regionId)}`,
    day: sql`day`,
    hour: sql`toDateTime(intDiv(hour_ms, 1000), 'UTC')`,
    hour_of_day: sql`toUInt8(toHour(local_hour))`,
    zone_id: sql`zone`,
    source_kind: sql`source_kind`,
    is_measured: sql`measures_zone`,
    vehicle_type: sql`vehicle_type`,
    purpose: sql`purpose`,
    sessions: sql`session_sum`,
    dwells: sql`dwell_list`,
    dwell_ms: sql`dwell_sum`,
    amount: sql`paid_sum`,
    double_parked: sql`double_sum`,
    unpermitted: sql`unpermitted_sum`,
    events: sql`event_sum`,
    problems: sql`problem_sum`,
    problem_kinds: sql`kind_list`,
    overstays: sql`overstay_sum`,
    early_returns: sql`return_sum`,
    covered_sessions: sql`if(covers_hour, session_sum, 0)`,
    occupied_ms: sql`if(covers_hour, occupied_sum, 0)`,
    space_ms: sql`if(covers_hour and watch_sum > 0, toUInt64(spaces) * toUInt64(${openMs}), 0)`,
    online_ms: sql`online_sum`,
    watch_ms: sql`watch_sum`,
    is_deleted: sql`toUInt8(0)`,
    version: versionValue(version),
  }
  return sql`
  select ${columnsWith(hourColumns, columns)}
  from (${hourSumsSql(query)})`
}

/** Builds the `from` and `where` clauses for the stored rows of a range of days. */
const rowsOfDaysSql = (table: ScopedTable, { regionId, first, last }: HourDays): Sql => sql`
  ${latest(table)}
  where region_id = ${bind('String', regionId)}
    and day >= ${bind('Date', first)}
    and day <= ${bind('Date', last)}`

const listColumns: ReadonlySet<string> = new Set(['dwells', 'problem_kinds'])

/** Builds SQL for the rows of a table that aggregates the stored hours in a range of days. */
export const rollupRows = ({ keys }: Rollup, query: HourDays, version: bigint): Sql => {
  const names = columnsWith(['region_id', 'day', ...keys])
  const sums = joinSql(
    sumColumns.map((name) =>
      listColumns.has(name)
        ? sql`groupArrayArray(${identifier(name)}) as ${identifier(`${name}_list`)}`
        : sql`sum(${identifier(name)}) as ${identifier(`${name}_sum`)}`,
    ),
    ', ',
  )
  return sql`
  select ${names}, ${sums}, toUInt8(0), ${versionValue(version)}
  from ${rowsOfDaysSql('curb_hours', query)}
  group by ${names}`
}

/** Builds SQL that deletes rows in a range of days that the derivation of this version did not write. */
export const deletionRows = (
  table: ScopedTable,
  columns: readonly string[],
  query: HourDays,
  version: bigint,
): Sql => sql`
  select ${deletionColumns(columns, version)}
  from ${rowsOfDaysSql(table, query)} and version < ${versionValue(version)}`

/** Builds SQL for the first local day with events; no row if there are none. */
export const firstEventDaySql = (regionId: string, timezone: string): Sql => sql`
  select toString(toDate(toTimeZone(min(event_time), ${bind('String', timezone)}))) as day
  from ${facts('curb_events')}
  where region_id = ${bind('String', regionId)}
  having count() > 0`

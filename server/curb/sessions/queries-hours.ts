import type { LocalDay } from '#contract/period.ts'
import {
  bind,
  facts,
  identifier,
  joinSql,
  latest,
  type ScopedTable,
  type Sql,
  sql,
} from '#server/stores/sql.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { maxOpenMs } from './derive-lane.ts'
import { stateMs } from './queries.ts'

const hourMs = 3_600_000
/** A source is assumed to be online for this long after its last event. */
export const silentMs = 24 * hourMs
/** A source is assumed to exist for this long after its last event. */
export const forgottenMs = 7 * 24 * hourMs

/** Successive local days and the inputs of their sums. Times are ms since 1970. */
export interface HourDays {
  regionId: string
  timezone: string
  /** The result of `hourShift` for the time zone, ms. */
  shift: number
  first: LocalDay
  last: LocalDay
  from: number
  /** The end of the last day, or now if that is earlier. */
  until: number
  now: number
  /** Numbers of spaces of zones, each from an instant on. */
  capacities: readonly { zoneId: string; from: number; capacity: number }[]
  /** The zone of each space, by space id. */
  spaces: ReadonlyMap<string, string>
  /**
   * The kind of places with computed sums, zones by default. The `zoneId` of capacities is then the id
   * of such a place.
   */
  placeKind?: 'zone' | 'space' | 'object'
  /** When zones are open by the rules in force. Without it, places are always open. */
  open?: OpenHours
  /** Sessions over the maximum stay and early returns. */
  violations?: readonly StayCounts[]
}

export interface OpenHours {
  /** The number of the times of each zone. Zones with the same times share a number, starting at 1. */
  numberByZone: ReadonlyMap<string, number>
  /** Times in ms, ascending and without overlaps within a number. */
  times: readonly { number: number; from: number; until: number }[]
}

/** Violations of one hour, place, source and class. */
export interface StayCounts {
  hour: number
  zoneId: string
  source: string
  vehicleType: string
  purpose: string
  overstays: number
  earlyReturns: number
}

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

export const rollupColumns = ({ keys }: Rollup): string[] => [
  'region_id',
  'day',
  ...keys,
  ...sumColumns,
  'is_deleted',
  'version',
]

/** The number of the local hour that contains a time. */
const hourNumber = (ms: Sql, { shift }: HourDays): Sql =>
  sql`toInt64(intDiv(${ms} + ${bind('Int64', shift)}, ${bind('Int64', hourMs)}))`

/** The id of the place of a row; for zones of events that name only a space, the zone of the space. */
const zoneColumn = ({ spaces, placeKind = 'zone' }: HourDays): Sql => {
  if (placeKind !== 'zone') return placeKind === 'space' ? sql`space_id` : sql`object_id`
  return spaces.size
    ? sql`if(zone_id = '', transform(space_id, ${bind('Array(String)', [...spaces.keys()])}, ${bind('Array(String)', [...spaces.values()])}, ''), zone_id)`
    : sql`zone_id`
}

/**
 * Parking sessions that begin or last in the days. `until_ms` is their assumed end: null if unknown, now for
 * open sessions.
 */
const sessions = (query: HourDays): Sql => sql`
  select ${zoneColumn(query)} as zone, space_id, source_kind, vehicle_type, purpose, amount, blocked_lanes, problems, ${msOf(sql`from_time`)} as from_ms,
    ${msOf(sql`start_time`)} as start_ms, ${msOf(sql`end_time`)} as end_ms, has(problems, 'ends_before_start') as is_reversed,
    multiIf(
      is_reversed or start_ms is null, null,
      end_ms is not null, end_ms,
      has(problems, 'no_end') or start_ms + ${bind('Int64', maxOpenMs)} < ${bind('Int64', query.now)}, null,
      ${bind('Int64', query.now)}
    ) as until_ms
  from ${latest('curb_sessions')}
  where region_id = ${bind('String', query.regionId)} and type = 'parking'
    and from_time >= ${instant(query.from - stateMs)} and from_time < ${instant(query.until)}`

/** Sessions with the last end of earlier sessions in the same space, so that overlapping times count once. */
const clippedSessions = (query: HourDays): Sql => sql`
  select *,
    if(space_id = '', null,
      max(until_ms) over (partition by space_id, source_kind order by start_ms, from_ms rows between unbounded preceding and 1 preceding)
    ) as busy_until,
    ifNull(busy_until > start_ms, 0) as is_overlap
  from (${sessions(query)})`

/**
 * Events of sensors and cameras, each with the time of the next event of the same source. `state`: 0 offline,
 * 1 online, 2 removed.
 */
const sourceSpans = (query: HourDays): Sql => sql`
  select zone, source_kind, ms as begin_ms,
    multiIf(event_type = 'decommissioned' or is_commissioned = 0, 2, event_type = 'comms_lost' or is_online = 0, 0, 1) as state,
    leadInFrame(ms, 1, ${bind('Int64', query.until)}) over (partition by device_id order by ms, event_id rows between current row and unbounded following) as next_ms
  from (
    select *, ${msOf(sql`event_time`)} as ms, max(${zoneColumn(query)}) over (partition by device_id) as zone
    from ${latest('curb_events')}
    where region_id = ${bind('String', query.regionId)} and source_kind in ('sensor', 'camera') and superseded = 0
      and event_time >= ${instant(query.from - forgottenMs)} and event_time < ${instant(query.until)}
  )`

/** The numbers of the hours in which a time span overlaps the days. The result has one row per hour. */
const hourNumbers = (begin: Sql, end: Sql, query: HourDays): Sql => {
  const [from, until] = [bind('Int64', query.from), bind('Int64', query.until)]
  const first = hourNumber(sql`greatest(${begin}, ${from})`, query)
  const last = hourNumber(sql`least(${end}, ${until}) - 1`, query)
  return sql`arrayJoin(range(${first}, ${last} + 1))`
}
/** How many ms of a time span are in the hour `number` and before the end of the days. */
const partInHour = (begin: Sql, end: Sql, query: HourDays): Sql => {
  const [shift, length] = [bind('Int64', query.shift), bind('Int64', hourMs)]
  return sql`greatest(0, least(${end}, ${bind('Int64', query.until)}, (number + 1) * ${length} - ${shift}) - greatest(${begin}, number * ${length} - ${shift}))`
}

// Values of the columns `sessions` and `dwells`, and `kinds`, for rows that are not sessions.
const noSession = sql`toUInt32(0), emptyArrayUInt32()`
const noKinds = sql`emptyArrayString()`

/**
 * The rows to be summed: one per session, per session and hour that it occupies, per event, per source and
 * hour, and per count of violations. All parts of the union have the columns of the first one.
 */
const parts = (query: HourDays): Sql => {
  const [from, until] = [bind('Int64', query.from), bind('Int64', query.until)]
  const clipBegin = sql`greatest(assumeNotNull(start_ms), ifNull(busy_until, 0))`
  const clipEnd = sql`assumeNotNull(until_ms)`
  const occupiedMs = query.open
    ? sql`toInt64(arraySum(part -> greatest(0, least(${clipEnd}, ${until}, part.2) - greatest(${clipBegin}, part.1)), open_parts))`
    : partInHour(clipBegin, clipEnd, query)
  const online = sql`least(next_ms, begin_ms + ${bind('Int64', silentMs)})`
  const watched = sql`least(next_ms, begin_ms + ${bind('Int64', forgottenMs)})`
  return sql`
  select ${hourNumber(sql`ifNull(start_ms, from_ms)`, query)} as number, zone, source_kind, vehicle_type, purpose, 0 as is_source,
    toUInt32(start_ms is not null) as sessions,
    if(start_ms is null or end_ms is null or is_reversed, emptyArrayUInt32(), [toUInt32(intDiv(assumeNotNull(end_ms) - assumeNotNull(start_ms), 1000))]) as dwells,
    if(start_ms is null or end_ms is null or is_reversed, 0, assumeNotNull(end_ms) - assumeNotNull(start_ms)) as dwell,
    0 as occupied, ifNull(amount, 0) as paid, toUInt32(arrayExists(lane -> lane != 'parking', blocked_lanes)) as double_parks, 0 as unpermitted_uses,
    0 as event_count, toUInt32(notEmpty(problems) or is_overlap) as problem_count,
    arrayConcat(arrayMap(problem -> toString(problem), problems), if(is_overlap, ['overlap'], emptyArrayString())) as kinds, 0 as online, 0 as watched,
    toUInt32(0) as overstay_count, toUInt32(0) as return_count
  from (${clippedSessions(query)})
  where ifNull(start_ms, from_ms) >= ${from} and ifNull(start_ms, from_ms) < ${until}
  union all
  select number, zone, source_kind, vehicle_type, purpose, 0, ${noSession}, 0, ${occupiedMs}, 0, 0, 0, 0, 0, ${noKinds}, 0, 0, 0, 0
  from (
    select *, ${hourNumbers(clipBegin, clipEnd, query)} as number, ${openNumber(query)} as open_number
    from (${clippedSessions(query)})
    where until_ms is not null and ${clipEnd} > ${clipBegin} and ${clipEnd} > ${from}
  ) as stays
  ${query.open ? sql`left join (${openHours(query, query.open)}) as open_hours on stays.open_number = open_hours.open_key and stays.number = open_hours.open_hour` : sql``}
  union all
  select ${hourNumber(msOf(sql`event_time`), query)} as number, ${zoneColumn(query)} as zone, source_kind, vehicle_type, purpose, 0, ${noSession}, 0, 0, 0, 0,
    toUInt32(event_type = 'vehicle_violation_start'), 1, 0, ${noKinds}, 0, 0, 0, 0
  from ${latest('curb_events')}
  where region_id = ${bind('String', query.regionId)} and event_time >= ${instant(query.from)} and event_time < ${instant(query.until)} and superseded = 0
  union all
  select number, zone, source_kind, '', '', 1, ${noSession}, 0, 0, 0, 0, 0, 0, 0, ${noKinds},
    if(state = 1, ${partInHour(sql`begin_ms`, online, query)}, 0), ${partInHour(sql`begin_ms`, watched, query)}, 0, 0
  from (
    select *, ${hourNumbers(sql`begin_ms`, watched, query)} as number
    from (${sourceSpans(query)})
    where state != 2 and ${watched} > ${from} and ${watched} > begin_ms
  )
  ${query.violations?.length ? sql`union all ${violationRows(query.violations)}` : sql``}`
}

const violationRows = (violations: readonly StayCounts[]): Sql => {
  const texts = (read: (each: StayCounts) => string) => bind('Array(String)', violations.map(read))
  const numbers = (read: (each: StayCounts) => number) => bind('Array(Int64)', violations.map(read))
  return sql`
  select row.1, row.2, row.3, row.4, row.5, 0, ${noSession}, 0, 0, 0, 0, 0, 0, 0, ${noKinds}, 0, 0, toUInt32(row.6), toUInt32(row.7)
  from (
    select arrayJoin(arrayZip(${numbers(({ hour }) => hour)}, ${texts(({ zoneId }) => zoneId)}, ${texts(({ source }) => source)},
      ${texts(({ vehicleType }) => vehicleType)}, ${texts(({ purpose }) => purpose)}, ${numbers(({ overstays }) => overstays)},
      ${numbers(({ earlyReturns }) => earlyReturns)})) as row
  )`
}

/** The number of the open times of a zone; 0 if it has none. */
const openNumber = ({ open }: HourDays): Sql =>
  open
    ? sql`transform(toString(zone), ${bind('Array(String)', [...open.numberByZone.keys()])}, ${bind('Array(UInt32)', [...open.numberByZone.values()])}, toUInt32(0))`
    : sql`toUInt32(0)`

/** Open times by number and hour: their parts within the hour, and the sum of the parts. */
const openHours = (query: HourDays, { times }: OpenHours): Sql => {
  const [shift, length] = [bind('Int64', query.shift), bind('Int64', hourMs)]
  return sql`
  select open_key, open_hour, groupArray((part_from, part_until)) as open_parts, sum(part_until - part_from) as open_ms
  from (
    select open_time.1 as open_key, arrayJoin(range(${hourNumber(sql`open_time.2`, query)}, ${hourNumber(sql`open_time.3 - 1`, query)} + 1)) as open_hour,
      greatest(open_time.2, open_hour * ${length} - ${shift}) as part_from, least(open_time.3, (open_hour + 1) * ${length} - ${shift}) as part_until
    from (
      select arrayJoin(arrayZip(${bind(
        'Array(UInt32)',
        times.map(({ number }) => number),
      )}, ${bind(
        'Array(Int64)',
        times.map(({ from }) => from),
      )}, ${bind(
        'Array(Int64)',
        times.map(({ until }) => until),
      )})) as open_time
    )
  )
  group by open_key, open_hour`
}

/**
 * Sums of some days by hour, place, source, vehicle type and purpose, with the columns that `hourRows`
 * stores.
 *
 * `measures_zone`: the source is of the most reliable kind at the zone on that day. `covers_hour`: sources of
 * the kind were online for at least half of the watched time, and the zone has open spaces, so that occupancy
 * can be computed.
 */
export function hourSums(query: HourDays): Sql {
  const [shift, length] = [bind('Int64', query.shift), bind('Int64', hourMs)]
  const { capacities } = query
  return sql`
    select *, toDate(local_hour) as day, toUInt8(rank < 4 and rank = min(rank) over (partition by zone, toDate(local_hour))) as measures_zone,
      sum(watch_sum) over (partition by number, zone, source_kind) as zone_watch,
      spaces > 0 and open_part > 0 and zone_watch > 0 and sum(online_sum) over (partition by number, zone, source_kind) * 2 >= zone_watch as covers_hour
    from (
    select sums.*, ifNull(capacity.spaces, 0) as spaces, ${query.open ? sql`toInt64(open_hours.open_ms)` : length} as open_part
    from (
      select number, zone, source_kind, vehicle_type, purpose, toUInt32(sum(sessions)) as session_sum,
        arraySort(groupArrayArray(dwells)) as dwell_list, toUInt64(sum(dwell)) as dwell_sum, toUInt64(sum(occupied)) as occupied_sum, toInt64(sum(paid)) as paid_sum,
        toUInt32(sum(double_parks)) as double_sum, toUInt32(sum(unpermitted_uses)) as unpermitted_sum, toUInt32(sum(event_count)) as event_sum,
        toUInt32(sum(problem_count)) as problem_sum, groupArrayArray(kinds) as kind_list, toUInt64(sum(online)) as online_sum, toUInt64(sum(watched)) as watch_sum,
        toUInt32(sum(overstay_count)) as overstay_sum, toUInt32(sum(return_count)) as return_sum, ${openNumber(query)} as open_number,
        number * ${length} - ${shift} as hour_ms, toTimeZone(toDateTime(intDiv(hour_ms, 1000), 'UTC'), ${bind('String', query.timezone)}) as local_hour,
        transform(source_kind, ['sensor', 'camera', 'survey'], [1, 2, 3], 4) as rank
      from (${parts(query)})
      group by number, zone, source_kind, vehicle_type, purpose
    ) as sums
    asof left join (
      select capacity_row.1 as capacity_zone, capacity_row.2 as since, toUInt32(capacity_row.3) as spaces
      from (
        select arrayJoin(arrayZip(${bind(
          'Array(String)',
          capacities.map(({ zoneId }) => zoneId),
        )}, ${bind(
          'Array(Int64)',
          capacities.map(({ from }) => from),
        )}, ${bind(
          'Array(UInt32)',
          capacities.map(({ capacity }) => capacity),
        )})) as capacity_row
      )
    ) as capacity on sums.zone = capacity.capacity_zone and sums.hour_ms >= capacity.since
    ${query.open ? sql`left join (${openHours(query, query.open)}) as open_hours on sums.open_number = open_hours.open_key and sums.number = open_hours.open_hour` : sql``}
    )`
}

/** Rows of `curb_hours` of some days. */
export function hourRows(query: HourDays, version: bigint): Sql {
  return sql`
  select ${bind('String', query.regionId)}, day, toDateTime(intDiv(hour_ms, 1000), 'UTC'), toUInt8(toHour(local_hour)), zone, source_kind, measures_zone, vehicle_type, purpose,
    session_sum, dwell_list, dwell_sum, paid_sum, double_sum, unpermitted_sum, event_sum, problem_sum, kind_list, overstay_sum, return_sum,
    if(covers_hour, session_sum, 0), if(covers_hour, occupied_sum, 0),
    if(covers_hour and watch_sum > 0, toUInt64(spaces) * toUInt64(least(open_part, ${bind('Int64', query.now)} - hour_ms)), 0), online_sum, watch_sum,
    toUInt8(0), ${bind('UInt64', String(version))}
  from (${hourSums(query)})`
}

const rowsOfDays = (table: ScopedTable, { regionId, first, last }: HourDays): Sql =>
  sql`${latest(table)} where region_id = ${bind('String', regionId)} and day >= ${bind('Date', first)} and day <= ${bind('Date', last)}`

const isList = (name: string): boolean => name === 'dwells' || name === 'problem_kinds'

/** Rows of a table that aggregates the stored hours of some days. */
export const rollupRows = ({ keys }: Rollup, query: HourDays, version: bigint): Sql => {
  const names = joinSql(
    ['region_id', 'day', ...keys].map((name) => identifier(name)),
    ', ',
  )
  const sums = joinSql(
    sumColumns.map((name) =>
      isList(name)
        ? sql`groupArrayArray(${identifier(name)}) as ${identifier(`${name}_list`)}`
        : sql`sum(${identifier(name)}) as ${identifier(`${name}_sum`)}`,
    ),
    ', ',
  )
  return sql`
  select ${names}, ${sums}, toUInt8(0), ${bind('UInt64', String(version))}
  from ${rowsOfDays('curb_hours', query)}
  group by ${names}`
}

/** Deletion rows for the rows of some days that the derivation of this version did not write again. */
export const withdrawnRows = (
  table: ScopedTable,
  columns: readonly string[],
  query: HourDays,
  version: bigint,
): Sql => sql`
  select ${joinSql(
    columns.map((name) =>
      name === 'is_deleted'
        ? sql`toUInt8(1)`
        : name === 'version'
          ? sql`${bind('UInt64', String(version))}`
          : sql`${identifier(name)}`,
    ),
    ', ',
  )}
  from ${rowsOfDays(table, query)} and version < ${bind('UInt64', String(version))}`

/** The first and the last local day with events. No row if there are no events. */
export const eventSpan = (regionId: string, timezone: string): Sql => sql`
  select toString(toDate(toTimeZone(min(event_time), ${bind('String', timezone)}))) as first,
    toString(toDate(toTimeZone(max(event_time), ${bind('String', timezone)}))) as last
  from ${facts('curb_events')}
  where region_id = ${bind('String', regionId)}
  having count() > 0`
